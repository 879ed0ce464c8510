import { orNull, select, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';

/**
 * Tables of resources with a Docker volume. The name of the volume contains the key of this map and the row id. For
 * example, `db12` is the database with the id 12.
 */
const TABLES = { v: 'volumes', db: 'databases', s3: 'object_stores' } as const;

export type VolumeKind = keyof typeof TABLES;

const NAME = select({ name: orNull(sql.text('name')) });

/** Returns the names of all Docker volumes with a row in the database, including volumes in the trash. */
export function recordedVolumes(db: Reader): Set<string> {
  const rows = db.all(
    NAME.from('(SELECT name FROM volumes UNION SELECT volume FROM databases UNION SELECT volume FROM object_stores)'),
  );
  return new Set(rows.flatMap(({ name }) => (name ? [name] : [])));
}

/**
 * Reserves all row ids up to `number`. If an older database was restored, Docker may still have volumes or images whose
 * names contain such ids.
 */
export function keepNumberFree(tx: Tx, kind: VolumeKind | 'deployment', number: number): void {
  const table = kind === 'deployment' ? 'deployments' : TABLES[kind];
  const { changes } = tx.run('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?', number, table);
  if (changes === 0) tx.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, number);
}
