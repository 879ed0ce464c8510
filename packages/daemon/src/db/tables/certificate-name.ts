import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insertOrReplace } from '../write.ts';

const NAME = selectFrom(
  'certificate_names',
  'name, status, failures, problem, problem_code, next_try_at, renew, asked_at',
);

/** Status of the certificate order for one host name. Times are in milliseconds since the epoch. */
export type NameRow = Row<typeof NAME>;

export function certificateName(db: Reader, name: string): NameRow | undefined {
  return db.get(NAME.from('certificate_names WHERE name = ?'), name);
}

/** Returns the certificate order status of all host names, sorted by name. */
export function listCertificateNames(db: Reader): NameRow[] {
  return db.all(NAME.from('certificate_names ORDER BY name'));
}

/**
 * Updates the certificate order status of a host name. If the host name has no row, inserts a row with the status
 * `idle`. Publishes an event if `status` changes.
 */
export function setCertificateName(tx: Tx, name: string, change: Partial<Omit<NameRow, 'name'>>): void {
  const before = certificateName(tx, name) ?? { ...IDLE, name };
  const row = { ...before, ...change };
  insertOrReplace(tx, 'certificate_names', row);
  if (row.status !== before.status) tx.event({ kind: 'instance', data: { change: 'certificates' } });
}

const IDLE: Omit<NameRow, 'name'> = {
  ...({ status: 'idle', failures: 0, problem: null, problem_code: null } as const),
  ...{ next_try_at: null, renew: 0, asked_at: null },
};

export function deleteCertificateName(tx: Tx, name: string): void {
  tx.run('DELETE FROM certificate_names WHERE name = ?', name);
}

/**
 * Makes all failed certificate orders due now, and sets their failure counts to 0. Call this function when the cause of
 * the failures may be fixed.
 */
export function retryNames(tx: Tx): void {
  tx.run('UPDATE certificate_names SET failures = 0, next_try_at = NULL WHERE next_try_at IS NOT NULL');
}

/**
 * Makes certificate orders due now if their next attempt is planned later than `after`.
 * @param after time in milliseconds since the epoch
 */
export function forgetWaits(tx: Tx, after: number): void {
  tx.run('UPDATE certificate_names SET next_try_at = NULL WHERE next_try_at > ?', after);
}

/**
 * Changes the status of unfinished certificate orders to `idle`. The daemon process that started these orders has
 * ended, so the new daemon process starts the orders again.
 */
export function resumeNames(tx: Tx): void {
  tx.run(`UPDATE certificate_names SET status = 'idle' WHERE status = 'ordering'`);
}
