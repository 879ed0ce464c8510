/**
 * Builds the dashboard into `packages/dashboard/dist`, with compressed forms of its files beside them. Started by
 * `scripts/lib/dashboard.mjs` under the pinned runtime. The folder is replaced as a whole when all of it is there, and
 * whoever else builds at the same time waits and takes what was built.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { BUILT_FROM, builtDashboard, DASHBOARD, sourcesOfDashboard } from './lib/dashboard.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const CACHE = join(ROOT, '.cache');
const WAIT_MS = 5 * 60_000;

/** What gets shorter by it. */
const COMPRESSED = new Set(['.html', '.js', '.css', '.svg', '.json']);
/** A shorter file fits into one packet as it is. */
const WORTH_BYTES = 1_024;

/** Held by the kernel until this process ends, however it ends. */
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
    await build({ root: join(ROOT, DASHBOARD), logLevel: 'warn', build: { outDir, emptyOutDir: true } });
    await compress(made);
    await writeFile(join(made, BUILT_FROM), sources);
    await replace(join(ROOT, DASHBOARD, 'dist'), made);
  } catch (error) {
    // Where it is in the sources, without the stack of the bundler.
    console.error(stripVTControlCharacters(error.message));
    process.exitCode = 1;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
held.close();
