import type { CertificateKind } from '@davit/api';
import type { Reader, Tx } from './store.ts';

/** What is looked at over and over: everything but the bytes. Times are milliseconds since the epoch. */
export interface CertificateBrief {
  id: number;
  kind: CertificateKind;
  /** The authority's; null for one that was uploaded. */
  directory: string | null;
  /** JSON. */
  hosts: string;
  issuer: string;
  serial: string;
  fingerprint: string;
  not_before: number;
  not_after: number;
  created_at: number;
  updated_at: number;
}

/** The PEM of the chain, and that of the key, sealed. */
export interface CertificateBytes {
  chain: string;
  key: string;
}

const BRIEF = `id, kind, directory, hosts, issuer, serial, fingerprint, not_before, not_after, created_at, updated_at`;

/** By number; read once a commit. */
export function listCertificates(db: Reader): readonly CertificateBrief[] {
  return db.memo('certificates', () => db.all<CertificateBrief>(`SELECT ${BRIEF} FROM certificates ORDER BY id`));
}

export function certificateById(db: Reader, id: number): CertificateBrief | undefined {
  return db.get(`SELECT ${BRIEF} FROM certificates WHERE id = ?`, id);
}

export function certificateBytes(db: Reader, id: number): CertificateBytes | undefined {
  return db.get('SELECT chain, key FROM certificates WHERE id = ?', id);
}

/** Those that name exactly this, `*.` included. */
export function certificatesNaming(db: Reader, host: string): CertificateBrief[] {
  return db.all(
    `SELECT ${BRIEF} FROM certificates WHERE id IN (SELECT certificate_id FROM certificate_hosts WHERE host = ?)
     ORDER BY id`,
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
  const id = replaced ?? tx.run(INSERT, row.kind, row.created_at, row.updated_at).id;
  tx.run(
    `UPDATE certificates SET directory = ?, hosts = ?, chain = ?, key = ?, issuer = ?, serial = ?, fingerprint = ?,
       not_before = ?, not_after = ?, updated_at = ? WHERE id = ?`,
    row.directory,
    JSON.stringify(row.hosts),
    row.chain,
    seal(id),
    row.issuer,
    row.serial,
    row.fingerprint,
    row.not_before,
    row.not_after,
    row.updated_at,
    id,
  );
  tx.run('DELETE FROM certificate_hosts WHERE certificate_id = ?', id);
  for (const host of row.hosts) tx.run('INSERT INTO certificate_hosts (host, certificate_id) VALUES (?, ?)', host, id);
  tell(tx);
  return id;
}

const INSERT = `INSERT INTO certificates (kind, hosts, chain, key, issuer, serial, fingerprint, not_before, not_after,
  created_at, updated_at) VALUES (?, '[]', '', '', '', '', '', 0, 0, ?, ?)`;

export function deleteCertificate(tx: Tx, id: number): void {
  tx.run('DELETE FROM certificates WHERE id = ?', id);
  tell(tx);
}

/** What an authority asks for, answered by the proxy while an order is under way. By token. */
export function listChallenges(db: Reader): { token: string; answer: string }[] {
  return db.all('SELECT token, answer FROM acme_challenges ORDER BY token');
}

export function insertChallenge(tx: Tx, token: string, answer: string): void {
  tx.run('INSERT OR REPLACE INTO acme_challenges (token, answer) VALUES (?, ?)', token, answer);
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
