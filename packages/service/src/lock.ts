import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensureFileSync } from './durable-files.ts';
import { isDamage, SQLITE, sqliteCode } from './sqlite-errors.ts';

/** Another process works on this data directory. */
export class DataDirTaken extends Error {
  override name = 'DataDirTaken';
}

/** The lock cannot be taken for another reason; the message says what to do. */
export class LockUnusable extends Error {
  override name = 'LockUnusable';
}

/**
 * Takes a data directory for this process alone. The lock is an exclusive transaction on a file of its own: the kernel
 * lets go of it when the process dies, however it dies, so there is nothing stale to clean up. The file has no content;
 * any content is removed.
 * @param who what works there, for the sentence that a second one is told
 * @throws DataDirTaken, LockUnusable
 */
export function lockDataDir(dataDir: string, who: string): Disposable {
  const file = join(dataDir, 'lock.db');
  ensureFileSync(file, 0o600);
  try {
    return takeOrRepair(file);
  } catch (cause) {
    const code = sqliteCode(cause);
    if (code === SQLITE.busy) throw new DataDirTaken(`Another ${who} works on ${dataDir}.`, { cause });
    throw new LockUnusable(
      `The lock ${file} cannot be used (SQLite code ${code}): check that this user can write there. The file holds no data: you may remove it while no Davit runs on the directory.`,
      { cause },
    );
  }
}

function takeOrRepair(file: string): Disposable {
  try {
    return take(file);
  } catch (error) {
    if (!isDamage(error)) throw error;
    // The holder of a lock prevents others from reading the file, so a process that can read it knows that nobody holds
    // the lock. The file is emptied in place: if it were replaced, two processes could each lock a file of their own.
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
