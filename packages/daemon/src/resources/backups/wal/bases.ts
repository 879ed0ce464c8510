/** Base backups for point-in-time recovery. A base backup is a copy of the files of a PostgreSQL server. */

import type { Reader } from '../../../db/store.ts';
import { type BackupRow, goodBackups } from '../../../db/tables/backup.ts';
import { segmentsOf } from '../../../db/tables/backup-segment.ts';
import type { DatabaseRow } from '../../../db/tables/managed-database.ts';

export interface BaseFacts {
  volume: string;
  /** Name of the WAL segment with which a recovery starts. */
  from: string;
  /**
   * Name of the first WAL segment after the end of the base backup. `undefined` for backups of earlier Davit versions,
   * which include WAL.
   */
  until?: string;
}

type Base = BackupRow & BaseFacts;

/**
 * Returns the base backups of the current volume, newest first. Includes base backups whose WAL is not completely
 * archived yet.
 */
export function currentBases(db: Reader, { id, volume }: Pick<DatabaseRow, 'id' | 'volume'>): Base[] {
  return basesOf(db, id).filter((base) => base.volume === volume);
}

/**
 * Returns the base backups that a recovery can use, newest first. Excludes base backups of earlier volumes, because a
 * restore in place replaced their data.
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
 * Number of WAL segments in 4 GiB of WAL. At this number, the last 8 digits of a segment's name restart at 0, and the 8
 * digits before increase by one.
 */
const PIECES = 2 ** 32 / SEGMENT_BYTES;

function numberOf(piece: string): number {
  return Number.parseInt(piece.slice(8, 16), 16) * PIECES + Number.parseInt(piece.slice(16, 24), 16);
}

interface LogPart {
  number: number;
  at: number;
}

/** Returns the archived WAL segments in their order, starting with the first segment of a base backup. */
function logOf(db: Reader, base: Base): LogPart[] {
  return segmentsOf(db, base.database_id).flatMap(({ name, at }) => {
    const [volume, piece = ''] = name.split('/');
    if (volume !== base.volume || piece.length !== base.from.length || piece < base.from) return [];
    return [{ number: numberOf(piece), at }];
  });
}

/**
 * Returns whether the WAL from the time of a base backup is archived. A recovery needs this WAL, which the base backup
 * does not contain.
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
 * Returns the last restorable time before the first gap in the WAL after a base backup, in milliseconds since the
 * epoch, or `null`.
 */
export function brokenAt(db: Reader, base: Base): number | null {
  // The first WAL segment may be missing in the archive: earlier Davit versions stored it in the base backup.
  let next = numberOf(base.from) + (base.until === undefined ? 1 : 0);
  let until = base.finished_at ?? 0;
  for (const { number, at } of logOf(db, base)) {
    if (number > next) return until;
    next = number + 1;
    until = Math.max(until, at);
  }
  return null;
}
