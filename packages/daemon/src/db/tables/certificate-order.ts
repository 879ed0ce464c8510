import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert } from '../write.ts';

/**
 * `running`: under way. `interrupted`: the instance ended meanwhile. `invalid`: the authority could not prove that the
 * name is ours. `refused`: it said no otherwise. `unreached`: it was not reached at all.
 */
export type OrderOutcome = 'running' | 'issued' | 'interrupted' | 'invalid' | 'refused' | 'unreached';

const ORDER = selectFrom('certificate_orders', 'name, outcome, renewal, started_at, project');

/** What limits are counted from. */
export type OrderCount = Row<typeof ORDER>;

/** Of an authority, oldest first. */
export function ordersSince(db: Reader, directory: string, since: number): OrderCount[] {
  return db.all(
    ORDER.from(`certificate_orders WHERE directory = ? AND started_at >= ?
     ORDER BY started_at, id`),
    directory,
    since,
  );
}

export interface NewOrder {
  directory: string;
  name: string;
  renewal: boolean;
  at: number;
  /** Slug; null: it is the instance's own. */
  project: string | null;
}

export function insertOrder(tx: Tx, order: NewOrder): number {
  const id = insert(tx, 'certificate_orders', {
    directory: order.directory,
    name: order.name,
    renewal: order.renewal ? 1 : 0,
    outcome: 'running',
    started_at: order.at,
    project: order.project,
  });
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
