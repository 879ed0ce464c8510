import type { Tx } from './store.ts';

/**
 * Changes columns of one row of what has many of them.
 * @param change its names are keys of a type, and none is anybody's input
 * @param at when it was changed, for what people see of it
 */
export function setColumns(
  tx: Tx,
  table: 'databases' | 'object_stores',
  id: number,
  change: Record<string, string | number | null>,
  at?: number,
): void {
  const entries = Object.entries({ ...change, ...(at !== undefined && { updated_at: at }) });
  if (entries.length === 0) return;
  const columns = entries.map(([column]) => `${column} = ?`).join(', ');
  tx.run(`UPDATE ${table} SET ${columns} WHERE id = ?`, ...entries.map(([, value]) => value), id);
}
