/** The bases that points in time are counted from: copies of a server's files. */
import { type BackupRow, goodBackups } from '../../store/backup.ts';
import type { DatabaseRow } from '../../store/managed-database.ts';
import type { Reader } from '../../store/store.ts';

/** What is known of a base: of which data it is, and with which piece of its log one begins. */
export interface BaseFacts {
  volume: string;
  from: string;
}

/** Those of the data that the database has now, newest first: after a restore in place others lead nowhere. */
export function usableBases(db: Reader, { id, volume }: Pick<DatabaseRow, 'id' | 'volume'>): (BackupRow & BaseFacts)[] {
  return basesOf(db, id).filter((base) => base.volume === volume);
}

export function oldestUsable(db: Reader, row: DatabaseRow): (BackupRow & BaseFacts) | undefined {
  return usableBases(db, row).at(-1);
}

/** Newest first. */
export function basesOf(db: Reader, databaseId: number): (BackupRow & BaseFacts)[] {
  const bases = goodBackups(db, databaseId).filter(({ kind }) => kind === 'base');
  // Written by this program, and by nobody else.
  return bases.map((row) => ({ ...row, ...(JSON.parse(row.facts ?? '{}') as BaseFacts) }));
}
