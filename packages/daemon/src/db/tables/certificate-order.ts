import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert } from '../write.ts';

/**
 * Result of a certificate order. `running`: the order is in progress. `interrupted`: the daemon stopped during the
 * order. `invalid`: the certificate authority could not verify that the host name belongs to this server. `refused`:
 * the certificate authority rejected the order for another reason. `unreached`: the certificate authority did not
 * respond.
 */
export type OrderOutcome = 'running' | 'issued' | 'interrupted' | 'invalid' | 'refused' | 'unreached';

const ORDER = selectFrom('certificate_orders', 'name, outcome, renewal, started_at, project');

/**
 * Columns of a certificate order that Davit needs to count orders. Davit limits the number of orders, because
 * certificate authorities have rate limits.
 */
export type OrderCount = Row<typeof ORDER>;

/** Returns the certificate orders at one certificate authority that started at or after `since`, oldest first. */
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
  /** Slug of the project to which the host belongs, or `null` for a host of the Davit instance itself. */
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

/**
 * Records the result of a certificate order.
 * @param problem reason why the certificate order failed, or `null` if it succeeded
 */
export function endOrder(tx: Tx, id: number, outcome: OrderOutcome, problem: string | null, at: number): void {
  tx.run(
    `UPDATE certificate_orders SET outcome = ?, problem = ?, finished_at = ? WHERE id = ? AND outcome = 'running'`,
    outcome,
    problem,
    at,
    id,
  );
}

/**
 * Sets the outcome `interrupted` for certificate orders that a previous daemon process did not finish.
 * @returns the number of these orders
 */
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
