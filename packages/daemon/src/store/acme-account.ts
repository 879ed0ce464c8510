import type { Reader, Tx } from './store.ts';

/** The account at an authority. Times are milliseconds since the epoch. */
export interface AccountRow {
  /** The address of the authority's directory. */
  directory: string;
  /** Sealed. */
  key: string;
  /** Null: it is not registered yet. */
  url: string | null;
  /** The contact that the authority was told. */
  email: string | null;
  /** Of the authority in a row: it was not reached, or asked for patience. */
  failures: number;
  problem: string | null;
  /** Nothing is asked of it before. */
  paused_until: number | null;
}

const COLUMNS = 'directory, key, url, email, failures, problem, paused_until';

export function acmeAccount(db: Reader, directory: string): AccountRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM acme_accounts WHERE directory = ?`, directory);
}

export function putAcmeAccount(tx: Tx, row: AccountRow): void {
  tx.run(
    `INSERT OR REPLACE INTO acme_accounts (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    row.directory,
    row.key,
    row.url,
    row.email,
    row.failures,
    row.problem,
    row.paused_until,
  );
}

/** Those that are left alone for longer than that may be asked now. */
export function resumeAuthorities(tx: Tx, after: number): void {
  tx.run('UPDATE acme_accounts SET paused_until = NULL WHERE paused_until > ?', after);
}

/** An account elsewhere that an authority wants ours bound to. */
export interface BindingRow {
  directory: string;
  kid: string;
  /** Sealed. */
  hmac_key: string;
}

export function acmeBinding(db: Reader, directory: string): BindingRow | undefined {
  return db.get('SELECT directory, kid, hmac_key FROM acme_bindings WHERE directory = ?', directory);
}

export function putAcmeBinding(tx: Tx, row: BindingRow): void {
  tx.run(
    'INSERT OR REPLACE INTO acme_bindings (directory, kid, hmac_key) VALUES (?, ?, ?)',
    row.directory,
    row.kid,
    row.hmac_key,
  );
  tx.event({ kind: 'instance', data: { change: 'certificates' } });
}

export function deleteAcmeBinding(tx: Tx, directory: string): void {
  const { changes } = tx.run('DELETE FROM acme_bindings WHERE directory = ?', directory);
  if (changes > 0) tx.event({ kind: 'instance', data: { change: 'certificates' } });
}
