import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process works on this data directory. */
export class DataDirTaken extends Error {
  override name = 'DataDirTaken';
}

/**
 * Takes a data directory for this process alone. The lock is an exclusive transaction on a file of its own: the kernel
 * lets go of it when the process dies, however it dies, so there is nothing stale to clean up.
 * @param who what works there, for the sentence that a second one is told
 * @throws DataDirTaken
 */
export function lockDataDir(dataDir: string, who: string): Disposable {
  const lock = new DatabaseSync(join(dataDir, 'lock.db'));
  try {
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new DataDirTaken(`Another ${who} works on ${dataDir}.`, { cause });
  }
  return { [Symbol.dispose]: () => lock.close() };
}
