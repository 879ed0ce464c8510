/** Pieces of a PostgreSQL's log that arrived where its backups are kept. */
import type { Reader, Tx } from './store.ts';

export interface SegmentRow {
  id: number;
  database_id: number;
  /** The volume of its data and what the server calls it: names in order are pieces in order. */
  name: string;
  /** JSON. */
  destination: string;
  key: string;
  size_bytes: number;
  /** Until when it tells. */
  at: number;
}

const COLUMNS = 'id, database_id, name, destination, key, size_bytes, at';

/** By name, which is their order. */
export function segmentsOf(db: Reader, databaseId: number): SegmentRow[] {
  return db.all(`SELECT ${COLUMNS} FROM backup_segments WHERE database_id = ? ORDER BY name`, databaseId);
}

/** The one that tells of the latest moment, of the data that the database has now. */
export function lastSegment(db: Reader, { id, volume }: { id: number; volume: string }): SegmentRow | undefined {
  return db.get(
    `SELECT ${COLUMNS} FROM backup_segments WHERE database_id = ? AND substr(name, 1, length(?2)) = ?2 ORDER BY at DESC LIMIT 1`,
    ...[id, `${volume}/`],
  );
}

/** One that arrives again is the same. */
export function recordSegment(tx: Tx, row: Omit<SegmentRow, 'id'>): void {
  const { database_id, name, destination, key, size_bytes, at } = row;
  tx.run(
    `INSERT INTO backup_segments (database_id, name, destination, key, size_bytes, at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (database_id, name) DO UPDATE SET destination = excluded.destination, key = excluded.key,
       size_bytes = excluded.size_bytes, at = excluded.at`,
    ...[database_id, name, destination, key, size_bytes, at],
  );
}

/** Those of databases that are gone for good: no moment of them can be asked for. */
export function strandedSegments(db: Reader): SegmentRow[] {
  return db.all(
    `SELECT ${COLUMNS} FROM backup_segments WHERE database_id NOT IN (SELECT id FROM databases) ORDER BY id`,
  );
}

export function forgetSegment(tx: Tx, { id }: SegmentRow): void {
  tx.run('DELETE FROM backup_segments WHERE id = ?', id);
}
