import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensureFileSync } from './durable-files.ts';
import { isDamage, SQLITE, sqliteCode } from './sqlite-errors.ts';

/** Error that is thrown if another process has locked the data directory. */
export class DataDirTaken extends Error {
  override name = 'DataDirTaken';
}

/**
 * Error that is thrown if the lock file of the data directory cannot be used, for example because of its permissions.
 * The error message says how to solve the problem.
 */
export class LockUnusable extends Error {
  override name = 'LockUnusable';
}

/**
 * Locks a data directory for this process with an exclusive SQLite transaction on the file `lock.db`. When the process
 * exits or crashes, the kernel releases the lock. `lock.db` contains no data. Any content of this file is removed.
 * @param who name of this process, for the error message
 * @throws DataDirTaken
 * @throws LockUnusable
 */
export function lockDataDir(dataDir: string, who: string): Disposable {
  const file = join(dataDir, 'lock.db');
  ensureFileSync(file, 0o600);
  try {
    return takeOrRepair(file);
  } catch (cause) {
    const code = sqliteCode(cause);
    if (code === SQLITE.busy)
      throw new DataDirTaken(
        `Another ${who} uses the data directory ${dataDir}. Stop it, or use another data directory.`,
        { cause },
      );
    throw new LockUnusable(
      `The lock ${file} cannot be used (SQLite code ${code}). Check that this user can write the file, or remove it while no Davit uses the directory.`,
      { cause },
    );
  }
}

function takeOrRepair(file: string): Disposable {
  try {
    return take(file);
  } catch (error) {
    if (!isDamage(error)) throw error;
    /*
     * Empty the damaged lock file. Do not create a new lock file, because two processes could then lock different files
     * at the same time.
     */
    truncateSync(file);
    return take(file);
  }
}

function take(file: string): Disposable {
  const lock = new DatabaseSync(file);
  try {
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw error;
  }
  return { [Symbol.dispose]: () => lock.close() };
}
