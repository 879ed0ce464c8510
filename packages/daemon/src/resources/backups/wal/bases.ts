/**
 * Functions for base backups. A base backup is a copy of the files of a PostgreSQL server, for point-in-time recovery.
 */

import type { Reader } from '../../../db/store.ts';
import { type BackupRow, goodBackups } from '../../../db/tables/backup.ts';
import { segmentsOf } from '../../../db/tables/backup-segment.ts';
import type { DatabaseRow } from '../../../db/tables/managed-database.ts';

export interface BaseFacts {
  volume: string;
  /** Name of the WAL segment (part of the write-ahead log) with which a recovery starts. */
  from: string;
  /**
   * Name of the first WAL segment (part of the write-ahead log) after the end of the base backup. The value is
   * `undefined` for backups of earlier Davit versions, because these backups contain the WAL.
   */
  until?: string;
}

type Base = BackupRow & BaseFacts;

/**
 * Returns the base backups of the current volume, newest first. The list includes base backups whose WAL (write-ahead
 * log) is not completely archived yet.
 */
export function currentBases(db: Reader, { id, volume }: Pick<DatabaseRow, 'id' | 'volume'>): Base[] {
  return basesOf(db, id).filter((base) => base.volume === volume);
}

/**
 * Returns the base backups that a recovery can use, newest first. If a restore in place replaced the data of the
 * database, earlier base backups are excluded.
 */
export function usableBases(db: Reader, row: Pick<DatabaseRow, 'id' | 'volume'>): Base[] {
  return currentBases(db, row).filter((base) => isComplete(db, base));
}

export function oldestUsable(db: Reader, row: DatabaseRow): Base | undefined {
  return usableBases(db, row).at(-1);
}

/** Returns all successful base backups of a database, newest first. */
export function basesOf(db: Reader, databaseId: number): Base[] {
  const bases = goodBackups(db, databaseId).filter(({ kind }) => kind === 'base');
  // The cast of the parsed JSON is safe, because only Davit writes the column `facts` of a backup row.
  return bases.map((row) => ({ ...row, ...(JSON.parse(row.facts ?? '{}') as BaseFacts) }));
}

/** Size of a WAL segment in bytes. This is the default of PostgreSQL, and Davit does not change it. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;

/**
 * Number of WAL segments in 4 GiB of WAL (write-ahead log). After this number of segments, the last 8 digits of the
 * segment name start at 0 again. The number before these digits then increases by one.
 */
const PIECES = 2 ** 32 / SEGMENT_BYTES;

function numberOf(piece: string): number {
  return Number.parseInt(piece.slice(8, 16), 16) * PIECES + Number.parseInt(piece.slice(16, 24), 16);
}

interface LogPart {
  number: number;
  at: number;
}

/**
 * Returns the archived WAL segments (parts of the write-ahead log) in their order. The list starts with the first
 * segment that a base backup needs.
 */
function logOf(db: Reader, base: Base): LogPart[] {
  return segmentsOf(db, base.database_id).flatMap(({ name, at }) => {
    const [volume, piece = ''] = name.split('/');
    if (volume !== base.volume || piece.length !== base.from.length || piece < base.from) return [];
    return [{ number: numberOf(piece), at }];
  });
}

/**
 * Returns whether the archive contains all WAL (write-ahead log) from the time of a base backup. The base backup does
 * not contain this WAL, but a recovery needs it.
 */
export function isComplete(db: Reader, base: Base): boolean {
  if (base.until === undefined) return true;
  const end = numberOf(base.until);
  const stored = new Set(logOf(db, base).map(({ number }) => number));
  return (
    stored
      .values()
      .filter((number) => number < end)
      .toArray().length >=
    end - numberOf(base.from)
  );
}

/**
 * Searches for the first gap in the archived WAL (write-ahead log) after a base backup. Returns the last restorable
 * time before the gap, in milliseconds since the epoch. If there is no gap, returns `null`.
 */
export function brokenAt(db: Reader, base: Base): number | null {
  /*
   * In earlier Davit versions, the base backup contained the first WAL segment. So the archive may not contain this
   * segment.
   */
  let next = numberOf(base.from) + (base.until === undefined ? 1 : 0);
  let until = base.finished_at ?? 0;
  for (const { number, at } of logOf(db, base)) {
    if (number > next) return until;
    next = number + 1;
    until = Math.max(until, at);
  }
  return null;
}
