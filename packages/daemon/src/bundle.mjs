/**
 * The bundle of the daemon: all its sources and packages in one file. Node needs much less time and memory to load one
 * file than more than a thousand. Setup builds the bundle with `scripts/build-daemon.ts`.
 */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = new URL('../dist/', import.meta.url);
const FOLDER = fileURLToPath(DIST);
export const BUNDLE = new URL('daemon.mjs', DIST);
/**
 * JSON object from the path of each source, relative to the bundle, to its version at the time of the build. It also
 * contains the bundle itself.
 */
export const SOURCES = new URL('sources.json', DIST);

/**
 * Returns whether the bundle was built from the present sources. A changed source is therefore used at the next start,
 * even without a new build.
 * @param {URL} [list] the file with the versions of the sources
 */
export function isBundleCurrent(list = SOURCES) {
  try {
    const sources = JSON.parse(readFileSync(list, 'utf8'));
    return Object.entries(sources).every(([path, version]) => versionOf(path) === version);
  } catch {
    // There is no complete build, or a source was removed.
    return false;
  }
}

/**
 * Returns the version of a source: its time of change in milliseconds and its size in bytes.
 * @param {string} path relative to the bundle
 */
export function versionOf(path) {
  const { mtimeMs, size } = statSync(resolve(FOLDER, path));
  return `${mtimeMs} ${size}`;
}
