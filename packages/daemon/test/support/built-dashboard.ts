import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Name of the script that the page loads. */
export const ASSET = 'index-abc123.js';
export const PAGE =
  '<!doctype html><title>Davit</title><script type="module" src="/assets/index-abc123.js"></script>\n';
export const SCRIPT = 'export const word = 1;\n'.repeat(100);

/** Build output of a dashboard in a folder, with a secret file next to it. Disposing it removes both. */
export interface BuiltDashboard extends AsyncDisposable {
  dist: string;
}

export async function builtDashboard(): Promise<BuiltDashboard> {
  const outer = await mkdtemp(join(tmpdir(), 'davit-dashboard-'));
  const dist = join(outer, 'dist');
  await mkdir(join(dist, 'assets', 'folder'), { recursive: true });
  await writeFile(join(outer, 'secret.txt'), 'secret');
  await writeFile(join(dist, 'index.html'), PAGE);
  await writeFile(join(dist, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(dist, 'theme.js'), 'void 0;');
  await writeFile(join(dist, 'assets', 'index-abc123.js'), SCRIPT);
  await writeFile(join(dist, 'assets', 'index-abc123.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(dist, 'assets', 'index-abc123.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(dist, 'assets', '.hidden'), 'hidden');
  return { dist, [Symbol.asyncDispose]: () => rm(outer, { recursive: true, force: true }) };
}
