/** Inserts and updates whose columns and values are those of the schema. */
import type { SQLInputValue } from 'node:sqlite';
import type { NewRow, NumberedTable, TableName, TableRow } from './schema/index.ts';
import type { Tx } from './transaction.ts';

type Runner = Pick<Tx, 'run'>;

/** Returns the number of the new row. */
export function insert<N extends TableName>(tx: Runner, table: N, row: NewRow<N>): number {
  return runWith(tx, 'INSERT', table, row).id;
}

/** Inserts a row in place of one with the same key. */
export function insertOrReplace<N extends TableName>(tx: Runner, table: N, row: NewRow<N>): void {
  runWith(tx, 'INSERT OR REPLACE', table, row);
}

/** Inserts a row unless there is one with the same key. */
export function insertOrIgnore<N extends TableName>(tx: Runner, table: N, row: NewRow<N>): void {
  runWith(tx, 'INSERT OR IGNORE', table, row);
}

/** Changes columns of the row with this number. Returns how many rows changed. */
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

/** @param names keys of a type, and never a user's input */
function statementOf(verb: string, table: TableName, names: readonly string[], write: () => string): string {
  const key = `${verb} ${table} ${names.join()}`;
  const known = STATEMENTS.get(key);
  if (known !== undefined) return known;
  const text = write();
  STATEMENTS.set(key, text);
  return text;
}
