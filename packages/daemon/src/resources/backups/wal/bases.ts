/** The bases that points in time are counted from: copies of a server's files. */

import type { Reader } from '../../../db/store.ts';
import { type BackupRow, goodBackups } from '../../../db/tables/backup.ts';
import { segmentsOf } from '../../../db/tables/backup-segment.ts';
import type { DatabaseRow } from '../../../db/tables/managed-database.ts';

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

/** Pieces of 16 MiB, as the server that is made here has them; behind so many of them the upper number goes on. */
const PIECES = 256;

function numberOf(piece: string): number {
  return Number.parseInt(piece.slice(8, 16), 16) * PIECES + Number.parseInt(piece.slice(16, 24), 16);
}

/**
 * Until when a base leads where a piece of its log is missing, as when it was not kept for a while: what lies behind that
 * cannot be reached. Null: none is missing.
 */
export function brokenAt(db: Reader, base: BackupRow & BaseFacts): number | null {
  // The base has the piece that it begins in.
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
