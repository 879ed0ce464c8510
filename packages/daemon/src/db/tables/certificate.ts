import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, insertOrReplace, update } from '../write.ts';

const BRIEF = selectFrom(
  'certificates',
  'id, kind, directory, hosts, issuer, serial, fingerprint, not_before, not_after, created_at, updated_at',
);

/** What is looked at over and over: everything but the bytes. Times are milliseconds since the epoch. */
export type CertificateBrief = Row<typeof BRIEF>;

const BYTES = selectFrom('certificates', 'chain, key');

/** The PEM of the chain, and that of the key, sealed. */
export type CertificateBytes = Row<typeof BYTES>;

/** By number; read once a commit. */
export function listCertificates(db: Reader): readonly CertificateBrief[] {
  return db.memo('certificates', () => db.all(BRIEF.from('certificates ORDER BY id')));
}

export function certificateById(db: Reader, id: number): CertificateBrief | undefined {
  return db.get(BRIEF.from('certificates WHERE id = ?'), id);
}

export function certificateBytes(db: Reader, id: number): CertificateBytes | undefined {
  return db.get(BYTES.from('certificates WHERE id = ?'), id);
}

/** Those that name exactly this, `*.` included. */
export function certificatesNaming(db: Reader, host: string): CertificateBrief[] {
  return db.all(
    BRIEF.from(`certificates WHERE id IN (SELECT certificate_id FROM certificate_hosts WHERE host = ?)
     ORDER BY id`),
    host,
  );
}

/**
 * Puts a certificate on record, in the place of another one or as a new one.
 * @param replaced the number that it keeps; null: a new one
 * @param seal seals the key for the certificate's number
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

/** Inserts a row without a certificate: the seal of the key needs its number. */
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

/** What an authority asks for, answered by the proxy while an order is under way. By token. */
export function listChallenges(db: Reader): Row<typeof CHALLENGE>[] {
  return db.all(CHALLENGE.from('acme_challenges ORDER BY token'));
}

export function insertChallenge(tx: Tx, token: string, answer: string): void {
  insertOrReplace(tx, 'acme_challenges', { token, answer });
}

/** @param token absent: all of them */
export function deleteChallenges(tx: Tx, token?: string): void {
  if (token === undefined) tx.run('DELETE FROM acme_challenges');
  else tx.run('DELETE FROM acme_challenges WHERE token = ?', token);
}

/** That there is something new to read. */
function tell(tx: Tx): void {
  tx.event({ kind: 'instance', data: { change: 'certificates' } });
}
