import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, insertOrReplace, update } from '../write.ts';

const BRIEF = selectFrom(
  'certificates',
  'id, kind, directory, hosts, issuer, serial, fingerprint, not_before, not_after, created_at, updated_at',
);

/**
 * TLS certificate without its PEM data, because the PEM data is large and rarely needed. Times are in milliseconds
 * since the epoch.
 */
export type CertificateBrief = Row<typeof BRIEF>;

const BYTES = selectFrom('certificates', 'chain, key');

/** PEM data of a TLS certificate: the certificate chain, and the encrypted private key. */
export type CertificateBytes = Row<typeof BYTES>;

/** Returns all TLS certificates, sorted by id. The result is cached until a transaction changes the database. */
export function listCertificates(db: Reader): readonly CertificateBrief[] {
  return db.memo('certificates', () => db.all(BRIEF.from('certificates ORDER BY id')));
}

export function certificateById(db: Reader, id: number): CertificateBrief | undefined {
  return db.get(BRIEF.from('certificates WHERE id = ?'), id);
}

export function certificateBytes(db: Reader, id: number): CertificateBytes | undefined {
  return db.get(BYTES.from('certificates WHERE id = ?'), id);
}

/**
 * Returns the TLS certificates that contain exactly this host name. A certificate for `*.example.com` is returned only
 * if `host` is `*.example.com`.
 */
export function certificatesNaming(db: Reader, host: string): CertificateBrief[] {
  return db.all(
    BRIEF.from(`certificates WHERE id IN (SELECT certificate_id FROM certificate_hosts WHERE host = ?)
     ORDER BY id`),
    host,
  );
}

/**
 * Inserts or replaces a TLS certificate. A replaced certificate keeps its id.
 * @param replaced id of the certificate to replace
 * @param seal encrypts the private key. The encrypted key is valid only for the given id.
 */
export function putCertificate(
  tx: Tx,
  replaced: number | null,
  row: Omit<CertificateBrief, 'id' | 'hosts'> & { hosts: readonly string[]; chain: string },
  seal: (id: number) => string,
): number {
  const id = replaced ?? insertBlank(tx, row);
  update(tx, 'certificates', id, {
    directory: row.directory,
    hosts: JSON.stringify(row.hosts),
    chain: row.chain,
    key: seal(id),
    issuer: row.issuer,
    serial: row.serial,
    fingerprint: row.fingerprint,
    not_before: row.not_before,
    not_after: row.not_after,
    updated_at: row.updated_at,
  });
  tx.run('DELETE FROM certificate_hosts WHERE certificate_id = ?', id);
  for (const host of row.hosts) insert(tx, 'certificate_hosts', { host, certificate_id: id });
  publishChange(tx);
  return id;
}

/** Inserts a certificate row with empty values. The encryption of the private key needs the id of this row. */
function insertBlank(tx: Tx, row: Pick<CertificateBrief, 'kind' | 'created_at' | 'updated_at'>): number {
  const { kind, created_at, updated_at } = row;
  const blank = {
    hosts: '[]',
    chain: '',
    key: '',
    issuer: '',
    serial: '',
    fingerprint: '',
    not_before: 0,
    not_after: 0,
  };
  return insert(tx, 'certificates', { kind, ...blank, created_at, updated_at });
}

export function deleteCertificate(tx: Tx, id: number): void {
  tx.run('DELETE FROM certificates WHERE id = ?', id);
  publishChange(tx);
}

const CHALLENGE = selectFrom('acme_challenges', 'token, answer');

/**
 * Returns the pending ACME HTTP challenges, sorted by token. While a certificate order is in progress, the proxy
 * responds to these challenges.
 */
export function listChallenges(db: Reader): Row<typeof CHALLENGE>[] {
  return db.all(CHALLENGE.from('acme_challenges ORDER BY token'));
}

export function insertChallenge(tx: Tx, token: string, answer: string): void {
  insertOrReplace(tx, 'acme_challenges', { token, answer });
}

/**
 * Deletes ACME challenges.
 * @param token token of the challenge to delete. Default: all challenges.
 */
export function deleteChallenges(tx: Tx, token?: string): void {
  if (token === undefined) tx.run('DELETE FROM acme_challenges');
  else tx.run('DELETE FROM acme_challenges WHERE token = ?', token);
}

function publishChange(tx: Tx): void {
  tx.event({ kind: 'instance', data: { change: 'certificates' } });
}
