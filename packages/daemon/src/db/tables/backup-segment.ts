/**
 * Archived segments of PostgreSQL's write-ahead log (WAL). With a base backup and these segments, Davit restores a
 * database to any point in time.
 */
import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';

const SEGMENT = selectFrom('backup_segments', 'id, database_id, name, destination, key, size_bytes, at');

export type SegmentRow = Row<typeof SEGMENT>;

/** Returns the archived WAL segments of a database. They are sorted by name, which is also the order of the log. */
export function segmentsOf(db: Reader, databaseId: number): SegmentRow[] {
  return db.all(SEGMENT.from('backup_segments WHERE database_id = ? ORDER BY name'), databaseId);
}

/** Returns the newest archived WAL segment that comes from the current data volume of a database. */
export function lastSegment(db: Reader, { id, volume }: { id: number; volume: string }): SegmentRow | undefined {
  return db.get(
    SEGMENT.from('backup_segments WHERE database_id = ? AND substr(name, 1, length(?2)) = ?2 ORDER BY at DESC LIMIT 1'),
    ...[id, `${volume}/`],
  );
}

/** Records an archived WAL segment. An existing row of the same segment is replaced. */
export function recordSegment(tx: Tx, row: Omit<SegmentRow, 'id'>): void {
  const { database_id, name, destination, key, size_bytes, at } = row;
  tx.run(
    `INSERT INTO backup_segments (database_id, name, destination, key, size_bytes, at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (database_id, name) DO UPDATE SET destination = excluded.destination, key = excluded.key,
       size_bytes = excluded.size_bytes, at = excluded.at`,
    ...[database_id, name, destination, key, size_bytes, at],
  );
}

/**
 * Returns the archived WAL segments of databases that no longer exist. These segments can be deleted, because a
 * deleted database cannot be restored to a point in time.
 */
export function strandedSegments(db: Reader): SegmentRow[] {
  return db.all(SEGMENT.from('backup_segments WHERE database_id NOT IN (SELECT id FROM databases) ORDER BY id'));
}

export function forgetSegment(tx: Tx, { id }: SegmentRow): void {
  tx.run('DELETE FROM backup_segments WHERE id = ?', id);
}
