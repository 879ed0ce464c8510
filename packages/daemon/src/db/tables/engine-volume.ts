import { orNull, select, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';

/** Tables whose rows have a volume at the engine, by the prefix of the number in the volume's name. */
const TABLES = { v: 'volumes', db: 'databases', s3: 'object_stores' } as const;

export type VolumeKind = keyof typeof TABLES;

const NAME = select({ name: orNull(sql.text('name')) });

/** Returns the names of all volumes that have a record in any state. */
export function recordedVolumes(db: Reader): Set<string> {
  const rows = db.all(
    NAME.from('(SELECT name FROM volumes UNION SELECT volume FROM databases UNION SELECT volume FROM object_stores)'),
  );
  return new Set(rows.flatMap(({ name }) => (name ? [name] : [])));
}

/** Reserves all numbers up to `number`, so that no new row gets such a number. */
export function keepNumberFree(tx: Tx, kind: VolumeKind | 'deployment', number: number): void {
  const table = kind === 'deployment' ? 'deployments' : TABLES[kind];
  const { changes } = tx.run('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?', number, table);
  if (changes === 0) tx.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, number);
}
