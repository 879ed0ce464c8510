import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensureFileSync } from './durable-files.ts';
import { isDamage, SQLITE, sqliteCode } from './sqlite-errors.ts';

/** Another process uses this data directory. */
export class DataDirTaken extends Error {
  override name = 'DataDirTaken';
}

/** The lock cannot be acquired for another reason. The message says what to do. */
export class LockUnusable extends Error {
  override name = 'LockUnusable';
}

/**
 * Locks a data directory for this process. The lock is an exclusive transaction on a separate file. The kernel releases
 * it when the process ends in any way, so there are no stale locks. The file has no content, and any content is
 * removed.
 * @param who name of the program, for the message to a second process
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
    // The holder of the lock prevents other processes from reading the file, so a process that can read it knows that
    // the lock is free. The file is emptied in place: if it were replaced, two processes could each lock their own
    // file.
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
