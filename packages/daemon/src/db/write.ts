/** Inserts and updates whose columns and values match the schema. */
import type { SQLInputValue } from 'node:sqlite';
import type { NewRow, NumberedTable, TableName, TableRow } from './schema/index.ts';
import type { Tx } from './transaction.ts';

type Runner = Pick<Tx, 'run'>;

/** Inserts a row and returns its number. */
export function insert<N extends TableName>(tx: Runner, table: N, row: NewRow<N>): number {
  return runWith(tx, 'INSERT', table, row).id;
}

/** Inserts a row, or replaces the row with the same key. */
export function insertOrReplace<N extends TableName>(tx: Runner, table: N, row: NewRow<N>): void {
  runWith(tx, 'INSERT OR REPLACE', table, row);
}

/** Inserts a row unless a row with the same key exists. */
export function insertOrIgnore<N extends TableName>(tx: Runner, table: N, row: NewRow<N>): void {
  runWith(tx, 'INSERT OR IGNORE', table, row);
}

/**
 * Changes columns of the row with this number.
 * @returns the number of changed rows
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
 * Returns the cached text of a statement.
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
