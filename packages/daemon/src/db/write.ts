/** Typed `INSERT` and `UPDATE` statements. The type checker compares column names and values with the schema. */
import type { SQLInputValue } from 'node:sqlite';
import type { NewRow, NumberedTable, TableName, TableRow } from './schema/index.ts';
import type { Tx } from './transaction.ts';

type Runner = Pick<Tx, 'run'>;

/**
 * Inserts a row.
 * @returns the id of the row, if the table has an `id` column
 */
export function insert<N extends TableName>(tx: Runner, table: N, row: NewRow<N>): number {
  return runWith(tx, 'INSERT', table, row).id;
}

/** Inserts a row. An existing row with the same primary key or unique key is replaced. */
export function insertOrReplace<N extends TableName>(tx: Runner, table: N, row: NewRow<N>): void {
  runWith(tx, 'INSERT OR REPLACE', table, row);
}

/** Inserts a row. Does nothing if a row with the same primary key or unique key exists. */
export function insertOrIgnore<N extends TableName>(tx: Runner, table: N, row: NewRow<N>): void {
  runWith(tx, 'INSERT OR IGNORE', table, row);
}

/**
 * Updates columns of the row with the given id.
 * @returns the number of changed rows: 0 or 1
 */
export function update<N extends NumberedTable>(
  tx: Runner,
  table: N,
  id: number,
  change: Partial<Omit<TableRow<N>, 'id'>>,
): number {
  const names = Object.keys(change);
  if (names.length === 0) return 0;
  const text = statementOf('UPDATE', table, names, () => {
    return `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`;
  });
  return tx.run(text, ...(Object.values(change) as SQLInputValue[]), id).changes;
}

function runWith(tx: Runner, verb: string, table: TableName, row: object) {
  const names = Object.keys(row);
  const text = statementOf(verb, table, names, () => {
    return `${verb} INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  });
  return tx.run(text, ...(Object.values(row) as SQLInputValue[]));
}

const STATEMENTS = new Map<string, string>();

/**
 * Returns the text of an `INSERT` or `UPDATE` statement from a cache.
 * @param names column names from the code, never user input
 */
function statementOf(verb: string, table: TableName, names: readonly string[], write: () => string): string {
  const key = `${verb} ${table} ${names.join()}`;
  const known = STATEMENTS.get(key);
  if (known !== undefined) return known;
  const text = write();
  STATEMENTS.set(key, text);
  return text;
}
