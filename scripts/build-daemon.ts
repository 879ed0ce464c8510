/**
 * Bundles the daemon into `packages/daemon/dist/daemon.mjs`. `scripts/lib/daemon.mjs` starts this script with the pinned
 * runtime. The complete bundle replaces the previous one at once, because a daemon may start at any time.
 */
import { globSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUNDLE, SOURCES, versionOf } from '../packages/daemon/src/bundle.mjs';
import { asciiOf, httpWithoutFetch, onlyEnglish, ownSources, SERVER_BUNDLE } from './bundle/plugins.ts';

const ROOT = dirname(import.meta.dirname);
const OUT = fileURLToPath(BUNDLE);
/**
 * Files that change the bundle without being part of it. npm writes `.package-lock.json` at each installation, so this
 * file represents all npm packages.
 */
const SETTINGS = [
  'node_modules/.package-lock.json',
  'scripts/build-daemon.ts',
  'scripts/bundle/plugins.ts',
  ...globSync(['tsconfig*.json', 'packages/*/{package,tsconfig}.json'], { cwd: ROOT }),
];

/** Map from the path of each source, relative to the bundle, to its version before it was read. */
const versions = new Map<string, string>();

for (const path of SETTINGS) record(join(ROOT, path));
const { outputFiles } = await build({
  ...SERVER_BUNDLE,
  absWorkingDir: ROOT,
  entryPoints: ['packages/daemon/src/main.ts'],
  outfile: OUT,
  plugins: [ownSources(record), onlyEnglish, httpWithoutFetch],
});

await mkdir(dirname(OUT), { recursive: true });
await rm(SOURCES, { force: true });
// The list also contains the bundle. A bundle that another build replaced, or that is damaged, is therefore not used.
versions.set(basename(OUT), await replace(OUT, asciiOf(outputFiles[0]?.text ?? '')));
await replace(fileURLToPath(SOURCES), JSON.stringify(Object.fromEntries(versions)));

/** Records the version of a file, and returns its path relative to the bundle. */
function record(path: string): string {
  const name = relative(dirname(OUT), path);
  versions.set(name, versionOf(name));
  return name;
}

/** Replaces a file atomically, and returns its version. */
async function replace(path: string, contents: string | Uint8Array): Promise<string> {
  const made = `${path}-${process.pid}`;
  try {
    await writeFile(made, contents, { flush: true });
    const version = versionOf(basename(made));
    await rename(made, path);
    return version;
  } finally {
    // On a full disk, an incomplete file would only take more space.
    await rm(made, { force: true });
  }
}
