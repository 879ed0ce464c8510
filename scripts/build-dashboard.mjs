/**
 * Builds the dashboard into `packages/dashboard/dist`, with compressed copies of its files. `scripts/lib/dashboard.mjs`
 * starts it with the pinned runtime. A complete build replaces the folder at once. A concurrent build waits and uses
 * the result.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { packageFolders } from './bundle/packages.ts';
import { BUILT_FROM, builtDashboard, DASHBOARD, sourcesOfDashboard } from './lib/dashboard.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const CACHE = join(ROOT, '.cache');
const WAIT_MS = 5 * 60_000;

/** Extensions of files that compression makes smaller. */
const COMPRESSED = new Set(['.html', '.js', '.css', '.svg', '.json']);
/** Minimum size in bytes for compression. A smaller file fits into one packet anyway. */
const WORTH_BYTES = 1_024;

/** Takes a lock that the kernel releases when this process ends in any way. */
function lock() {
  const database = new DatabaseSync(join(CACHE, 'dashboard-build.db'));
  database.exec(`PRAGMA busy_timeout = ${WAIT_MS}; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE`);
  return database;
}

async function compress(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSED.has(extname(entry.name)));
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    const bytes = await readFile(file);
    if (bytes.length < WORTH_BYTES) continue;
    const size = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    const packed = await Promise.all([
      promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, ...size } }),
      promisify(gzip)(bytes, { level: 9 }),
    ]);
    for (const [i, ending] of ['.br', '.gz'].entries()) {
      if (packed[i].length < bytes.length) await writeFile(`${file}${ending}`, packed[i]);
    }
  }
}

/** Returns the folders of the npm packages in the build, relative to the repository. A release lists them. */
function packagesIn(built) {
  const modules = built.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  return packageFolders(modules.map((id) => id.replace(/^\0/, ''))).map((folder) => relative(ROOT, folder));
}

async function replace(dist, made) {
  const old = `${made}-old`;
  await rename(dist, old).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(made, dist);
  await rm(old, { recursive: true, force: true });
}

await mkdir(CACHE, { recursive: true });
const held = lock();
const sources = await sourcesOfDashboard(ROOT);
if ((await builtDashboard(ROOT)) !== sources) {
  const made = join(CACHE, `dashboard-${process.pid}`);
  try {
    const outDir = made;
    const built = await build({ root: join(ROOT, DASHBOARD), logLevel: 'warn', build: { outDir, emptyOutDir: true } });
    await compress(made);
    await writeFile(join(made, 'packages.json'), JSON.stringify(packagesIn(built)));
    await writeFile(join(made, BUILT_FROM), sources);
    await replace(join(ROOT, DASHBOARD, 'dist'), made);
  } catch (error) {
    // The message contains the position in the source. The stack of the bundler is omitted.
    console.error(stripVTControlCharacters(error.message));
    process.exitCode = 1;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
held.close();
