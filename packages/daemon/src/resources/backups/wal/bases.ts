/** Base backups for point-in-time recovery: copies of a server's files. */

import type { Reader } from '../../../db/store.ts';
import { type BackupRow, goodBackups } from '../../../db/tables/backup.ts';
import { segmentsOf } from '../../../db/tables/backup-segment.ts';
import type { DatabaseRow } from '../../../db/tables/managed-database.ts';

/** Facts about a base backup: the volume of its data, and the log segment that a recovery starts with. */
export interface BaseFacts {
  volume: string;
  from: string;
}

/**
 * Returns the base backups of the current data, newest first. Base backups from before a restore in place cannot be
 * used.
 */
export function usableBases(db: Reader, { id, volume }: Pick<DatabaseRow, 'id' | 'volume'>): (BackupRow & BaseFacts)[] {
  return basesOf(db, id).filter((base) => base.volume === volume);
}

export function oldestUsable(db: Reader, row: DatabaseRow): (BackupRow & BaseFacts) | undefined {
  return usableBases(db, row).at(-1);
}

/** Returns all successful base backups, newest first. */
export function basesOf(db: Reader, databaseId: number): (BackupRow & BaseFacts)[] {
  const bases = goodBackups(db, databaseId).filter(({ kind }) => kind === 'base');
  // Only this program writes this value, so that the cast is safe.
  return bases.map((row) => ({ ...row, ...(JSON.parse(row.facts ?? '{}') as BaseFacts) }));
}

/** Size of a log segment: the default of PostgreSQL, which no database of Davit changes. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;

/** Number of log segments for each increment of the upper number. */
const PIECES = 2 ** 32 / SEGMENT_BYTES;

function numberOf(piece: string): number {
  return Number.parseInt(piece.slice(8, 16), 16) * PIECES + Number.parseInt(piece.slice(16, 24), 16);
}

/**
 * Returns the last moment that a base backup can restore, if a later log segment is missing. Returns `null` if no
 * segment is missing.
 * A segment is missing, for example, if the log was not archived for a while.
 */
export function brokenAt(db: Reader, base: BackupRow & BaseFacts): number | null {
  // The base backup contains its first log segment.
  let next = numberOf(base.from) + 1;
  let until = base.finished_at ?? 0;
  for (const { name, at } of segmentsOf(db, base.database_id)) {
    const [volume, piece = ''] = name.split('/');
    if (volume !== base.volume || piece.length !== base.from.length || piece < base.from) continue;
    if (numberOf(piece) > next) return until;
    next = numberOf(piece) + 1;
    until = Math.max(until, at);
  }
  return null;
}
