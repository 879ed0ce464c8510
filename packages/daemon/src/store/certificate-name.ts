import type { Reader, Tx } from './store.ts';

/** How the ordering for one name goes. Times are milliseconds since the epoch. */
export interface NameRow {
  /** A host, or `*.` and a host. */
  name: string;
  status: 'idle' | 'ordering' | 'failed' | 'waiting';
  /** In a row. */
  failures: number;
  problem: string | null;
  next_try_at: number | null;
  /** 1: somebody wants a new one now. */
  renew: number;
  /** When a default host was first asked for or found to resolve here. */
  asked_at: number | null;
}

const COLUMNS = 'name, status, failures, problem, next_try_at, renew, asked_at';

export function certificateName(db: Reader, name: string): NameRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM certificate_names WHERE name = ?`, name);
}

/** By name. */
export function listCertificateNames(db: Reader): NameRow[] {
  return db.all(`SELECT ${COLUMNS} FROM certificate_names ORDER BY name`);
}

/** Changes the named fields; what there was not begins idle. Whoever shows a certificate of the name reads again. */
export function setCertificateName(tx: Tx, name: string, change: Partial<Omit<NameRow, 'name'>>): void {
  const before = certificateName(tx, name) ?? { ...IDLE, name };
  const row = { ...before, ...change };
  tx.run(
    `INSERT OR REPLACE INTO certificate_names (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    row.name,
    row.status,
    row.failures,
    row.problem,
    row.next_try_at,
    row.renew,
    row.asked_at,
  );
  if (row.status !== before.status) tx.event({ kind: 'instance', data: { change: 'certificates' } });
}

const IDLE = { status: 'idle', failures: 0, problem: null, next_try_at: null, renew: 0, asked_at: null } as const;

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
