import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { PROTECTED_TABLES, type ProtectedTable } from './protected.ts';
import { isMacOf } from './row-mac.ts';

/** A protected row that was changed, added or removed outside of Davit. */
export interface RowFinding {
  table: string;
  /** Primary key of the row: its id, or a JSON array. */
  row: string;
  change: 'changed' | 'removed';
}

/** Number of rows between two interruptions of a check. The check of so many rows takes about 10 ms. */
const SLICE = 1_000;
const MAX_FINDINGS = 20;

/**
 * Checks the MACs of all protected rows. Yields after each slice of rows, so that a running daemon can answer requests
 * meanwhile.
 * @returns at most 20 changed rows
 */
export function* findChangedRows(db: DatabaseSync, key: Buffer): Generator<void, RowFinding[]> {
  const found: RowFinding[] = [];
  for (const table of PROTECTED_TABLES) {
    yield* findChanged(db, key, table, found);
    yield* findRemoved(db, table, found);
    if (found.length >= MAX_FINDINGS) return found.slice(0, MAX_FINDINGS);
  }
  return found;
}

/** Runs a check to its end, and lets other code run after each slice of rows. */
export async function finished(check: Generator<void, RowFinding[]>, signal: AbortSignal): Promise<RowFinding[]> {
  for (;;) {
    const { done, value } = check.next();
    if (done) return value;
    await setImmediate(undefined, { signal });
  }
}

function* findChanged(db: DatabaseSync, key: Buffer, table: ProtectedTable, found: RowFinding[]): Generator<void> {
  const { name, columns, keyLength, keyOf } = table;
  const names = columns.map((column) => `t."${column}"`);
  const after = names.slice(0, keyLength).join(', ');
  const marks = Array.from({ length: keyLength }, () => '?').join(', ');
  const read = (where: string) => {
    const statement = db.prepare(
      `SELECT ${keyOf('t')}, m.mac, ${names.join(', ')} FROM "${name}" t
        LEFT JOIN row_macs m ON m.table_name = '${name}' AND m.row_key = ${keyOf('t')}
        ${where} ORDER BY ${after} LIMIT ${SLICE}`,
    );
    statement.setReturnArrays(true);
    return statement;
  };
  const [first, next] = [read(''), read(`WHERE (${after}) > (${marks})`)];
  let rows = first.all() as unknown as SQLOutputValue[][];
  while (rows.length > 0) {
    for (const [row, mac, ...values] of rows)
      if (!isMacOf(mac, key, table, values)) found.push({ table: name, row: String(row), change: 'changed' });
    if (rows.length < SLICE || found.length >= MAX_FINDINGS) return;
    yield;
    const last = rows.at(-1)?.slice(2, 2 + keyLength) ?? [];
    rows = next.all(...last) as unknown as SQLOutputValue[][];
  }
}

/** Finds the removed rows. Their MACs still exist. */
function* findRemoved(db: DatabaseSync, table: ProtectedTable, found: RowFinding[]): Generator<void> {
  const { name, keyOf } = table;
  const read = (where: string) =>
    db.prepare(
      `SELECT m.row_key, EXISTS (SELECT 1 FROM "${name}" t
          WHERE ${hasKey(table, 'm.row_key')} AND ${keyOf('t')} = m.row_key) AS is_there
        FROM row_macs m WHERE m.table_name = ? ${where} ORDER BY m.row_key LIMIT ${SLICE}`,
    );
  const [first, next] = [read(''), read('AND m.row_key > ?')];
  let rows = first.all(name);
  while (rows.length > 0) {
    for (const { row_key: row, is_there: isThere } of rows)
      if (isThere === 0) found.push({ table: name, row: String(row), change: 'removed' });
    if (rows.length < SLICE || found.length >= MAX_FINDINGS) return;
    yield;
    rows = next.all(name, rows.at(-1)?.row_key ?? null);
  }
}

/**
 * Returns an SQL condition that compares the primary key of the table `t`. SQLite can use an index for this condition.
 * The condition checks the JSON of a stored key first, because SQLite would otherwise fail if the JSON is invalid.
 */
function hasKey({ columns, keyLength }: ProtectedTable, key: string): string {
  if (keyLength === 1) return `t."${columns[0]}" = ${key}`;
  const keyColumns = columns.slice(0, keyLength);
  return keyColumns
    .map((column, at) => `t."${column}" = CASE WHEN json_valid(${key}) THEN ${key} ->> ${at} END`)
    .join(' AND ');
}

/** Returns a sentence about a changed row, without a full stop. */
export function describeChange({ table, row, change }: RowFinding): string {
  return `the row ${row} of the table ${table} was ${change} outside of Davit`;
}
