import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, insertOrReplace, update } from '../write.ts';

const BRIEF = selectFrom(
  'certificates',
  'id, kind, directory, hosts, issuer, serial, fingerprint, not_before, not_after, created_at, updated_at',
);

/** A certificate without its PEM data, for frequent reads. Times are milliseconds since the epoch. */
export type CertificateBrief = Row<typeof BRIEF>;

const BYTES = selectFrom('certificates', 'chain, key');

/** The chain in PEM, and the encrypted key in PEM. */
export type CertificateBytes = Row<typeof BYTES>;

/** Lists certificates by number. The result is cached until the next commit. */
export function listCertificates(db: Reader): readonly CertificateBrief[] {
  return db.memo('certificates', () => db.all(BRIEF.from('certificates ORDER BY id')));
}

export function certificateById(db: Reader, id: number): CertificateBrief | undefined {
  return db.get(BRIEF.from('certificates WHERE id = ?'), id);
}

export function certificateBytes(db: Reader, id: number): CertificateBytes | undefined {
  return db.get(BYTES.from('certificates WHERE id = ?'), id);
}

/** Returns the certificates that contain exactly this host name. A wildcard name is compared as text. */
export function certificatesNaming(db: Reader, host: string): CertificateBrief[] {
  return db.all(
    BRIEF.from(`certificates WHERE id IN (SELECT certificate_id FROM certificate_hosts WHERE host = ?)
     ORDER BY id`),
    host,
  );
}

/**
 * Stores a certificate as a new row, or replaces an existing certificate.
 * @param replaced number of the replaced certificate, which stays the same, or `null` for a new certificate
 * @param seal encrypts the key for the number of the certificate
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
  tell(tx);
  return id;
}

/** Inserts an empty row, because the encryption of the key needs the number of the row. */
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
  tell(tx);
}

const CHALLENGE = selectFrom('acme_challenges', 'token, answer');

/** Lists the challenges of certificate authorities by token. The proxy answers them while an order is in progress. */
export function listChallenges(db: Reader): Row<typeof CHALLENGE>[] {
  return db.all(CHALLENGE.from('acme_challenges ORDER BY token'));
}

export function insertChallenge(tx: Tx, token: string, answer: string): void {
  insertOrReplace(tx, 'acme_challenges', { token, answer });
}

/**
 * Deletes challenges.
 * @param token token of the challenge. Default: all challenges.
 */
export function deleteChallenges(tx: Tx, token?: string): void {
  if (token === undefined) tx.run('DELETE FROM acme_challenges');
  else tx.run('DELETE FROM acme_challenges WHERE token = ?', token);
}

/** Publishes that the certificates changed. */
function tell(tx: Tx): void {
  tx.event({ kind: 'instance', data: { change: 'certificates' } });
}
