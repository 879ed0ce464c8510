/**
 * Issues the TLS certificates of databases with the CA of the instance, and loads new certificates into running
 * database servers.
 */
import { instanceAuthority } from '../../../auth/instance-authority.ts';
import { fingerprintOf, issueCertificate } from '../../../auth/issue-certificate.ts';
import { type DatabaseRow, databaseById, setDatabase } from '../../../db/tables/managed-database.ts';
import { inTurn } from '../../../managed-services/turn.ts';
import { runCommand } from '../commands.ts';
import type { DatabasesDeps } from '../deps.ts';
import { DIALECTS } from '../dialects/index.ts';
import { isOccupied } from '../occupied.ts';
import { databaseFacts, databaseTls, sealTls } from '../secrets.ts';
import { certificateNames } from './certificate-names.ts';

type IssuingBase = Pick<DatabasesDeps, 'store' | 'sealer' | 'facts' | 'now' | 'log'>;
type LoadingBase = IssuingBase & Pick<DatabasesDeps, 'engine' | 'managedServiceTurns'>;

/** Properties of an issued certificate. They are stored as JSON in the column `certificate` of the database row. */
interface IssuedFacts {
  /** Fingerprint of the CA certificate. */
  authority: string;
  names: string[];
  fingerprint: string;
  renewAt: number;
}

/**
 * Issues a TLS certificate for a database if the current certificate is missing, expires soon, or lacks a host name of
 * the database. The private key does not change, so only the certificate file of a running server changes.
 * @throws SealBroken
 */
export async function ensureCertificate(base: IssuingBase, id: number): Promise<void> {
  const { store, sealer, facts, now } = base;
  const authority = await instanceAuthority(base);
  const row = databaseById(store, id);
  if (row === undefined) return;
  const names = certificateNames(row, facts.domain);
  const issuer = fingerprintOf(authority.certificate);
  if (!isDue(row, { issuer, names, at: now() })) return;
  const { key } = databaseTls(sealer, row);
  const { certificate, ...issued } = await issueCertificate(authority, key, names, now());
  const column = JSON.stringify({ authority: issuer, names, ...issued } satisfies IssuedFacts);
  store.tx((tx) => {
    /*
     * If the private key has changed in the meantime, do not save this certificate. The next call issues a certificate
     * for the new key.
     */
    if (databaseById(tx, id)?.tls !== row.tls) return;
    setDatabase(tx, id, { tls: sealTls(sealer, id, { key, certificate }), certificate: column });
  });
}

/**
 * Returns the fingerprint of the certificate in the database row. If the CA of the instance did not issue a
 * certificate, returns `null`.
 */
export function fingerprintIn(row: Pick<DatabaseRow, 'certificate'>): string | null {
  return issuedFacts(row)?.fingerprint ?? null;
}

/**
 * Renews the certificate of a database if necessary, and loads the certificate into the running server. Existing
 * connections stay open.
 * @throws StatementFailed, EngineRefused, EngineUnavailable, SealBroken, or the abort reason
 */
export async function renewDatabaseCertificate(base: LoadingBase, id: number, signal: AbortSignal): Promise<void> {
  const { store } = base;
  const row = databaseById(store, id);
  /*
   * Skip stopped databases and databases with an unfinished task. The next start of the database or the task issues the
   * certificate.
   */
  if (row === undefined || isOccupied(store, row)) return;
  await ensureCertificate(base, id);
  if (toLoad(base, id) === null) return;
  await inTurn('database', base, id, signal, async () => {
    const loading = toLoad(base, id);
    if (loading !== null) await load(base, loading, signal);
  });
}

/** Returns the database row if the running server uses another certificate than the certificate in the row. */
function toLoad({ store }: Pick<LoadingBase, 'store'>, id: number): DatabaseRow | null {
  const row = databaseById(store, id);
  if (row === undefined || isOccupied(store, row) || row.container_id === null || row.observed !== 'ready') return null;
  const wanted = fingerprintIn(row);
  // If there is no certificate for the current private key, load nothing. The next run issues this certificate.
  return wanted === null || wanted === row.served_certificate ? null : row;
}

async function load({ engine, store, sealer }: LoadingBase, row: DatabaseRow, signal: AbortSignal): Promise<void> {
  const facts = databaseFacts(sealer, row);
  const container = row.container_id ?? '';
  await runCommand(engine, container, DIALECTS[row.engine].loadCertificate(facts), facts, signal);
  store.tx((tx) => {
    if (databaseById(tx, row.id)?.container_id !== row.container_id) return;
    setDatabase(tx, row.id, { served_certificate: fingerprintIn(row) });
  });
}

function isDue(row: DatabaseRow, wanted: { issuer: string; names: readonly string[]; at: number }): boolean {
  const issued = issuedFacts(row);
  if (issued === null || issued.authority !== wanted.issuer || issued.renewAt <= wanted.at) return true;
  return JSON.stringify(issued.names) !== JSON.stringify(wanted.names);
}

function issuedFacts({ certificate }: Pick<DatabaseRow, 'certificate'>): IssuedFacts | null {
  // The cast of the parsed JSON is safe, because only this file writes the column `certificate`.
  return certificate === null ? null : (JSON.parse(certificate) as IssuedFacts);
}
