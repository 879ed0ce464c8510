/** Checks of the data directory: its permissions, and the kinds of its entries. */
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The data directory cannot be used. The message says what to do. */
export class DataDirUnusable extends Error {
  override name = 'DataDirUnusable';
}

const OWNER_ONLY = 0o700;
const OTHERS = 0o077;

const FILES = [
  'davit.db',
  'davit.db-wal',
  'davit.db-shm',
  'instance-id',
  'lock.db',
  'master.key',
  'setup-token',
  'ballast',
];
/** Entries that `npm start` creates before or while the instance starts. */
const BESIDE = ['davit.log', 'davit.log.1', 'cache', 'engine', 'catalog'];
const SOCKETS = ['davit.sock'];
const FOLDERS = ['proxy', 'registry', 'names', 'packages', 'logs', 'backups', 'lego'];

/**
 * Creates the data directory, or removes the access of all users but the owner.
 * @throws DataDirUnusable
 */
export function prepareDataDir(dataDir: string): void {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (found?.isDirectory() === false)
    throw new DataDirUnusable(
      `The data directory ${dataDir} is a file. Move it away, or name a folder with --data-dir.`,
    );
  mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY });
  const names = readdirSync(dataDir);
  tighten(dataDir, names);
  for (const name of names) demandKind(dataDir, name);
}

/**
 * Removes the access of other users. A folder with files of other programs, such as `/srv`, is refused, because
 * removing the access would break those programs.
 */
function tighten(dataDir: string, names: readonly string[]): void {
  if ((statSync(dataDir).mode & OTHERS) === 0) return;
  const known = new Set([...FILES, ...BESIDE, ...SOCKETS, ...FOLDERS]);
  if (!names.includes('davit.db') && names.some((name) => !known.has(name))) {
    throw new DataDirUnusable(
      `The folder ${dataDir} contains files of other programs, and other users can access it. Choose an empty folder with --data-dir.`,
    );
  }
  try {
    chmodSync(dataDir, OWNER_ONLY);
  } catch (cause) {
    throw new DataDirUnusable(
      `The data directory ${dataDir} belongs to another user, and other users can access it. Change its owner to the user that runs Davit.`,
      { cause },
    );
  }
}

function demandKind(dataDir: string, name: string): void {
  const path = join(dataDir, name);
  // A dangling link is reported later, when the file is opened.
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  const wantsFile = FILES.includes(name) || name === 'davit.log';
  if ((wantsFile && !found.isFile()) || (SOCKETS.includes(name) && found.isDirectory())) {
    const is = found.isDirectory() ? 'a folder' : 'not a regular file';
    throw new DataDirUnusable(`${path} is ${is}, but Davit needs a file there. Move it away and start again.`);
  }
  if (FOLDERS.includes(name) && !found.isDirectory())
    throw new DataDirUnusable(`${path} is a file, but Davit needs a folder there. Move it away and start again.`);
}
