import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insertOrReplace } from '../write.ts';

const NAME = selectFrom(
  'certificate_names',
  'name, status, failures, problem, problem_code, next_try_at, renew, asked_at',
);

/** How the ordering for one name goes. Times are milliseconds since the epoch. */
export type NameRow = Row<typeof NAME>;

export function certificateName(db: Reader, name: string): NameRow | undefined {
  return db.get(NAME.from('certificate_names WHERE name = ?'), name);
}

/** By name. */
export function listCertificateNames(db: Reader): NameRow[] {
  return db.all(NAME.from('certificate_names ORDER BY name'));
}

/** Changes the named fields; what there was not begins idle. Whoever shows a certificate of the name reads again. */
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

/** What came in the way may be gone: nothing waits any longer. */
export function retryNames(tx: Tx): void {
  tx.run('UPDATE certificate_names SET failures = 0, next_try_at = NULL WHERE next_try_at IS NOT NULL');
}

/** What would be tried later than that is tried now. */
export function forgetWaits(tx: Tx, after: number): void {
  tx.run('UPDATE certificate_names SET next_try_at = NULL WHERE next_try_at > ?', after);
}

/** What a process that is gone had under way is tried again. */
export function resumeNames(tx: Tx): void {
  tx.run(`UPDATE certificate_names SET status = 'idle' WHERE status = 'ordering'`);
}
