import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insertOrReplace } from '../write.ts';

const ACCOUNT = selectFrom(
  'acme_accounts',
  'directory, key, url, email, failures, problem, problem_code, paused_until',
);

/** ACME account of this instance at one certificate authority. Times are in milliseconds since the epoch. */
export type AccountRow = Row<typeof ACCOUNT>;

export function acmeAccount(db: Reader, directory: string): AccountRow | undefined {
  return db.get(ACCOUNT.from('acme_accounts WHERE directory = ?'), directory);
}

export function putAcmeAccount(tx: Tx, row: AccountRow): void {
  insertOrReplace(tx, 'acme_accounts', row);
}

/**
 * Ends all pauses that would last longer than `after`. During a pause, Davit sends no requests to the certificate
 * authority.
 * @param after time in milliseconds since the epoch
 */
export function resumeAuthorities(tx: Tx, after: number): void {
  tx.run('UPDATE acme_accounts SET paused_until = NULL WHERE paused_until > ?', after);
}

const BINDING = selectFrom('acme_bindings', 'directory, kid, hmac_key');

/** External account binding (EAB). Some certificate authorities require an EAB for an ACME account. */
export type BindingRow = Row<typeof BINDING>;

export function acmeBinding(db: Reader, directory: string): BindingRow | undefined {
  return db.get(BINDING.from('acme_bindings WHERE directory = ?'), directory);
}

export function putAcmeBinding(tx: Tx, row: BindingRow): void {
  insertOrReplace(tx, 'acme_bindings', row);
  tx.event({ kind: 'instance', data: { change: 'certificates' } });
}

export function deleteAcmeBinding(tx: Tx, directory: string): void {
  const { changes } = tx.run('DELETE FROM acme_bindings WHERE directory = ?', directory);
  if (changes > 0) tx.event({ kind: 'instance', data: { change: 'certificates' } });
}
