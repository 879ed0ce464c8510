/**
 * Checks the data directory at startup. The check covers the permissions, and whether each entry is a file or a folder
 * as expected.
 */
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Error for a data directory that Davit cannot use. The message explains how to solve the problem. */
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
  'last-start.json',
  'lock.db',
  'master.key',
  'master.key.replaced',
  'master.key.recovery',
  'setup-token',
  'ballast',
];
/** Files and folders that `npm start` creates in the data directory. The daemon itself does not use them. */
const LAUNCHER_ENTRIES = ['davit.log', 'davit.log.1', 'cache', 'engine', 'catalog'];
const SOCKETS = ['davit.sock'];
const FOLDERS = ['proxy', 'registry', 'names', 'packages', 'logs', 'backups', 'lego', 'damaged'];

/** Files that prove that the data directory belongs to an instance. They are removed last. */
export const LAST_ENTRIES = ['instance-id', 'lock.db'];

/**
 * Returns whether Davit created an entry of the data directory. Includes the temporary names of files, and the files
 * that SQLite and the damage check create beside a database.
 */
export function isOwnEntry(name: string): boolean {
  const base = /^\.(.+)\.new$/.exec(name)?.[1] ?? name;
  if ([...FILES, ...LAUNCHER_ENTRIES, ...SOCKETS, ...FOLDERS].includes(base)) return true;
  return base.startsWith('davit.db-') || base.startsWith('lock.db-');
}

/**
 * Creates the data directory if it is missing, and sets its permissions so that only its owner has access.
 * @throws DataDirUnusable
 */
export function prepareDataDir(dataDir: string): void {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (found?.isDirectory() === false)
    throw new DataDirUnusable(
      `The data directory ${dataDir} is a file. Move the file away, or specify a folder with --data-dir.`,
    );
  mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY });
  const names = readdirSync(dataDir);
  tighten(dataDir, names);
  for (const name of names) demandKind(dataDir, name);
}

/**
 * Sets the mode of the data directory to 0700. Rejects a folder such as `/srv`, because other programs would lose
 * access to their files.
 */
function tighten(dataDir: string, names: readonly string[]): void {
  if ((statSync(dataDir).mode & OTHERS) === 0) return;
  const known = new Set([...FILES, ...LAUNCHER_ENTRIES, ...SOCKETS, ...FOLDERS]);
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
  // A symbolic link without a target is skipped. The error is reported later, when Davit opens the file.
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  const wantsFile = FILES.includes(name) || name === 'davit.log';
  if ((wantsFile && !found.isFile()) || (SOCKETS.includes(name) && found.isDirectory())) {
    const is = found.isDirectory() ? 'a folder' : 'not a regular file';
    throw new DataDirUnusable(`${path} is ${is}, but Davit needs a file at this path. Move it away and start again.`);
  }
  if (FOLDERS.includes(name) && !found.isDirectory())
    throw new DataDirUnusable(
      `${path} is a file, but Davit needs a folder at this path. Move it away and start again.`,
    );
}
