/** Base backups for point-in-time recovery: copies of a server's files. */

import type { Reader } from '../../../db/store.ts';
import { type BackupRow, goodBackups } from '../../../db/tables/backup.ts';
import { segmentsOf } from '../../../db/tables/backup-segment.ts';
import type { DatabaseRow } from '../../../db/tables/managed-database.ts';

/** Facts about a base backup. */
export interface BaseFacts {
  /** Volume of the data. */
  volume: string;
  /** Log segment that a recovery starts with. */
  from: string;
  /**
   * First log segment that a recovery to the end of the copy does not need. Absent in base backups of earlier versions,
   * which contain the log of the copy.
   */
  until?: string;
}

type Base = BackupRow & BaseFacts;

/** Returns the base backups of the current data, newest first, including those whose log is still incomplete. */
export function currentBases(db: Reader, { id, volume }: Pick<DatabaseRow, 'id' | 'volume'>): Base[] {
  return basesOf(db, id).filter((base) => base.volume === volume);
}

/**
 * Returns the base backups that a recovery can use, newest first. Base backups from before a restore in place cannot be
 * used.
 */
export function usableBases(db: Reader, row: Pick<DatabaseRow, 'id' | 'volume'>): Base[] {
  return currentBases(db, row).filter((base) => isComplete(db, base));
}

export function oldestUsable(db: Reader, row: DatabaseRow): Base | undefined {
  return usableBases(db, row).at(-1);
}

/** Returns all successful base backups, newest first. */
export function basesOf(db: Reader, databaseId: number): Base[] {
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

interface LogPart {
  number: number;
  at: number;
}

/** Returns the stored segments of a base backup's data from its first segment on, in their order. */
function logOf(db: Reader, base: Base): LogPart[] {
  return segmentsOf(db, base.database_id).flatMap(({ name, at }) => {
    const [volume, piece = ''] = name.split('/');
    if (volume !== base.volume || piece.length !== base.from.length || piece < base.from) return [];
    return [{ number: numberOf(piece), at }];
  });
}

/**
 * Returns whether a base backup has the log of the time of its copy. A base backup contains no log, and is of no use
 * until the archive has this part.
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
 * Returns the last moment that a base backup can restore, if a later log segment is missing. Returns `null` if no
 * segment is missing.
 * A segment is missing, for example, if the log was not archived for a while.
 */
export function brokenAt(db: Reader, base: Base): number | null {
  // Base backups of earlier versions contain their first log segment.
  let next = numberOf(base.from) + (base.until === undefined ? 1 : 0);
  let until = base.finished_at ?? 0;
  for (const { number, at } of logOf(db, base)) {
    if (number > next) return until;
    next = number + 1;
    until = Math.max(until, at);
  }
  return null;
}
