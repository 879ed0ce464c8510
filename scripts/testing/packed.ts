/** A command of ours as a user installs it: packed, in a folder of its own, under the Node that most people have. */
import { execFile } from 'node:child_process';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGES = join(import.meta.dirname, '../../packages');

export interface Installed extends AsyncDisposable {
  /** The folder that it is installed in. */
  folder: string;
  /** Its `package.json`. */
  manifest: { name: string; version: string };
  /** What the command is there. */
  command: string;
  /** The names of the files in the package. */
  files: string[];
}

/**
 * Packs a package and installs it into an empty folder.
 * @param packageName its folder in `packages/`
 * @param commandName its bin
 */
export async function installPacked(packageName: string, commandName: string): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'davit-packed-'));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join(PACKAGES, packageName),
    });
    // What the build says comes before it.
    const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.search(/^\[/m)));
    await writeFile(join(folder, 'package.json'), '{"name": "empty", "private": true}\n');
    const args = ['install', '--no-audit', '--no-fund', '--offline', join(folder, filename)];
    await run('npm', args, { cwd: folder });
    const command = join(folder, 'node_modules/.bin', commandName);
    const manifest = JSON.parse(await readFile(join(PACKAGES, packageName, 'package.json'), 'utf8'));
    const paths = files.map(({ path }: { path: string }) => path);
    return { folder, manifest, command, files: paths, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The oldest Node that there is: the one that the machine has, beside the project's own. */
export async function oldestNode(): Promise<string> {
  const own = [process.env.npm_node_execpath, ...folders().map((folder) => join(folder, 'node'))];
  for (const file of own) {
    if (file === undefined || file.includes('node_modules')) continue;
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return process.execPath;
}

function folders(): string[] {
  return (process.env.PATH ?? '').split(delimiter);
}
