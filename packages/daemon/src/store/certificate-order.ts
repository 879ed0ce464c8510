import type { Reader, Tx } from './store.ts';

/**
 * `running`: under way. `interrupted`: the instance ended meanwhile. `invalid`: the authority could not prove that the
 * name is ours. `refused`: it said no otherwise. `unreached`: it was not reached at all.
 */
export type OrderOutcome = 'running' | 'issued' | 'interrupted' | 'invalid' | 'refused' | 'unreached';

/** What limits are counted from. */
export interface OrderCount {
  name: string;
  outcome: OrderOutcome;
  /** 1: there was a certificate for the name before. */
  renewal: number;
  started_at: number;
}

/** Of an authority, oldest first. */
export function ordersSince(db: Reader, directory: string, since: number): OrderCount[] {
  return db.all(
    `SELECT name, outcome, renewal, started_at FROM certificate_orders WHERE directory = ? AND started_at >= ?
     ORDER BY started_at, id`,
    directory,
    since,
  );
}

export function insertOrder(tx: Tx, order: { directory: string; name: string; renewal: boolean; at: number }): number {
  const { id } = tx.run(
    `INSERT INTO certificate_orders (directory, name, renewal, outcome, started_at) VALUES (?, ?, ?, 'running', ?)`,
    order.directory,
    order.name,
    order.renewal ? 1 : 0,
    order.at,
  );
  return id;
}

/** @param problem why it did not succeed; null when it did */
export function endOrder(tx: Tx, id: number, outcome: OrderOutcome, problem: string | null, at: number): void {
  tx.run(
    `UPDATE certificate_orders SET outcome = ?, problem = ?, finished_at = ? WHERE id = ? AND outcome = 'running'`,
    outcome,
    problem,
    at,
    id,
  );
}

/** Those that a process which is gone had under way. */
export function interruptOrders(tx: Tx, at: number): number {
  const { changes } = tx.run(
    `UPDATE certificate_orders SET outcome = 'interrupted', finished_at = ? WHERE outcome = 'running'`,
    at,
  );
  return changes;
}

export function pruneOrders(tx: Tx, before: number): void {
  tx.run('DELETE FROM certificate_orders WHERE started_at < ?', before);
}
