import { generateKeyPairSync } from 'node:crypto';
import { SealBroken } from '../../db/seal.ts';
import { type AccountRow, acmeAccount, acmeBinding, putAcmeAccount } from '../../db/tables/acme-account.ts';
import type { AcmeAccess } from './acme/messages.ts';
import type { CertificatesDeps } from './deps.ts';
import type { OrderProblem } from './problem.ts';
import { backoffMs } from './times.ts';

type Keeping = Pick<CertificatesDeps, 'store' | 'sealer' | 'settings' | 'now'>;

/**
 * Returns the additional authenticated data (AAD) for the encryption of an ACME account key. With this data, the
 * encrypted key cannot be used for another account.
 */
function accountLocation(directory: string): string {
  return `acme_accounts/${directory}/key`;
}

/**
 * Returns the additional authenticated data (AAD) for the encryption of an HMAC key. Some certificate authorities
 * require an HMAC key for an ACME account.
 */
export function bindingLocation(directory: string): string {
  return `acme_bindings/${directory}/hmac_key`;
}

/**
 * Returns the stored ACME account for the directory URL of a certificate authority. If no account is stored for the
 * URL, the function creates an account with a new private key.
 */
function presentAccount({ store, sealer }: Pick<Keeping, 'store' | 'sealer'>, directory: string): AccountRow {
  const known = acmeAccount(store, directory);
  if (known !== undefined) return known;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // Export the key in the SEC1 format, because the program `lego` reads EC private keys only in this format.
  const key = privateKey.export({ type: 'sec1', format: 'pem' }) as string;
  const row: AccountRow = {
    directory,
    key: sealer.seal(key, accountLocation(directory)),
    url: null,
    email: null,
    failures: 0,
    problem: null,
    problem_code: null,
    paused_until: null,
  };
  store.tx((tx) => putAcmeAccount(tx, row));
  return row;
}

const NOT_OURS: OrderProblem = {
  code: 'account_unreadable',
  message:
    'The ACME account key cannot be decrypted, because the database or the master key was changed outside Davit. Restore both from the same copy, or set acme.directory to another certificate authority.',
};

/**
 * Returns the URLs and keys for requests to the certificate authority. If the account key cannot be decrypted, pauses
 * the requests to the authority and returns `null`.
 */
export function accessOrPause(base: Keeping, email: string): AcmeAccess | null {
  try {
    return accessTo(base, email);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    pauseAuthority(base, base.settings().acme.directory, NOT_OURS, null);
    return null;
  }
}

/**
 * Returns the URLs and keys for requests to the certificate authority that is set in the settings.
 * @throws SealBroken if the stored account key cannot be decrypted
 */
function accessTo(base: Keeping, email: string): AcmeAccess {
  const { store, sealer, settings } = base;
  const { directory, trusted_ca } = settings().acme;
  const { key, url } = presentAccount(base, directory);
  const binding = acmeBinding(store, directory);
  return {
    directory,
    accountKey: sealer.open(key, accountLocation(directory)),
    accountUrl: url,
    email,
    externalAccount: binding
      ? { kid: binding.kid, hmacKey: sealer.open(binding.hmac_key, bindingLocation(directory)) }
      : null,
    trustedCa: trusted_ca,
  };
}

/** Saves the URL of an ACME account after its registration, and deletes the account's saved errors. */
export function noteRegistered(base: Keeping, { directory, email }: AcmeAccess, url: string): void {
  // Use the certificate authority of the registration. The settings may contain another authority now.
  const row = presentAccount(base, directory);
  const isKnown = row.url === url && row.email === email && row.failures === 0 && row.problem === null;
  if (isKnown) return;
  const well = { failures: 0, problem: null, problem_code: null, paused_until: null };
  base.store.tx((tx) => putAcmeAccount(tx, { ...row, url, email, ...well }));
}

/**
 * Pauses all requests to an ACME authority, at least for `forMs` milliseconds. The pause becomes longer with each
 * failure.
 * @returns end of the pause, in milliseconds since the epoch
 */
export function pauseAuthority(base: Keeping, directory: string, problem: OrderProblem, forMs: number | null): number {
  const row = presentAccount(base, directory);
  const failures = row.failures + 1;
  const until = base.now() + Math.max(forMs ?? 0, backoffMs(failures));
  const known = { problem: problem.message, problem_code: problem.code };
  base.store.tx((tx) => putAcmeAccount(tx, { ...row, failures, ...known, paused_until: until }));
  return until;
}

/**
 * Ends the pause of requests to the certificate authority. Call this function after a user changed a setting or
 * requested a retry.
 */
export function resumeAuthority({ store, settings }: Pick<Keeping, 'store' | 'settings'>): void {
  const row = acmeAccount(store, settings().acme.directory);
  if (row?.paused_until == null) return;
  store.tx((tx) => putAcmeAccount(tx, { ...row, paused_until: null }));
}
