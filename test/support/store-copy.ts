import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Reads the database of a killed instance from a copy, because opening the original could repair what the next start
 * must repair.
 */
export async function inStoreCopy<T>(dataDir: string, read: (db: DatabaseSync) => T): Promise<T> {
  const copy = await mkdtemp(join(tmpdir(), 'davit-moment-'));
  try {
    for (const file of ['davit.db', 'davit.db-wal']) await copyFile(join(dataDir, file), join(copy, file));
    using db = new DatabaseSync(join(copy, 'davit.db'));
    return read(db);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Reads the database of a running instance. Nothing is written. */
export function inStore<T>(dataDir: string, read: (db: DatabaseSync) => T): T {
  using db = new DatabaseSync(join(dataDir, 'davit.db'), { readOnly: true });
  return read(db);
}
