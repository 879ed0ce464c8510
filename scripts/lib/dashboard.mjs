/**
 * Builds the dashboard if the existing build does not match the present sources. This module needs only Node 20 or
 * newer.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, lastLines } from './command.mjs';
import { runtimePath } from './runtime.mjs';
import { StepFailure } from './steps.mjs';

export const DASHBOARD = 'packages/dashboard';
/** File in the build output with the hash of its sources. */
export const BUILT_FROM = 'built-from.txt';

/** Files and folders that the build reads. The lock file represents the packages. */
const SOURCES = [
  ...['src', 'public', 'index.html', 'vite.config.ts', 'help-pages.ts', 'package.json'].map(
    (name) => `${DASHBOARD}/${name}`,
  ),
  ...['tutorials', 'how-to', 'explanation', 'glossary.md', 'README.md'].map((name) => `docs/${name}`),
  'packages/api/src',
  'package-lock.json',
  'scripts/build-dashboard.mjs',
];

async function filesOf(path) {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (entries === null) return [path];
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/**
 * Returns the hash of all sources of the dashboard.
 * @param {string} root the repository
 */
export async function sourcesOfDashboard(root) {
  const files = (await Promise.all(SOURCES.map((path) => filesOf(join(root, path))))).flat();
  const hash = createHash('sha256');
  for (const file of files.filter((name) => !/\.test\.tsx?$/.test(name)).sort()) {
    hash.update(`${file.slice(root.length)}\0`);
    hash.update(await readFile(file));
  }
  return hash.digest('hex');
}

/** Returns the hash of the sources of the existing build, or null if there is no build. */
export function builtDashboard(root) {
  return readFile(join(root, DASHBOARD, 'dist', BUILT_FROM), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/**
 * Builds the dashboard if necessary.
 * @param {string} root the repository
 * @param {{ evenOld?: boolean }} [options] `evenOld`: whether a build of older sources is sufficient
 * @returns {Promise<string>} what was done
 */
export async function ensureDashboard(root, { evenOld = false } = {}) {
  const built = await builtDashboard(root);
  if (built !== null && (evenOld || built === (await sourcesOfDashboard(root)))) return 'already built';
  const { code, output } = await execute(runtimePath(root), [join(root, 'scripts/build-dashboard.mjs')], { cwd: root });
  if (code === 0) return 'built';
  const advice = 'Its last words are above. Build it alone with "npm run build:dashboard".';
  throw new StepFailure('The dashboard could not be built.', advice, lastLines(output, 20));
}
