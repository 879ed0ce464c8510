/** API functions for certificates that Davit ordered and certificates that users uploaded. */
import { type Certificate, type CertificateUpload, DavitError, refusedField, timestamp } from '@davit/api';
import { ProxyUnavailable } from '../../adapters/proxy/proxy.ts';
import type { OpContext } from '../../auth/context.ts';
import { demandAllProjects, sees } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import {
  type CertificateBrief,
  certificateById,
  deleteCertificate,
  listCertificates as listRows,
  putCertificate,
} from '../../db/tables/certificate.ts';
import { certificateName, setCertificateName } from '../../db/tables/certificate-name.ts';
import { mapPage, numberKey, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import { byPathNumber } from '../../input/path-number.ts';
import { isValid, keyLocation } from '../../routing/host-certificates.ts';
import { routeTable } from '../../routing/route-table.ts';
import { resumeAuthority } from './account.ts';
import type { CertificatesDeps } from './deps.ts';
import { PemRefused, type ReadCertificate, parseCertificate as readPem } from './pem.ts';
import { renewsAt } from './times.ts';
import { type CertificateUse, certificateUse } from './used-by.ts';
import { NO_CONTACT, wantedNames } from './wanted.ts';

/** Maximum number of uploaded certificates per instance. */
const MOST = 1_000;

const WHAT = 'change certificates';

/**
 * Returns certificates sorted by id. A user with access to only some projects gets only the certificates of these
 * projects and of the instance's own hosts.
 */
export function listCertificates(core: CertificatesDeps, ctx: OpContext, query: PageQuery = {}): Page<Certificate> {
  const use = certificateUse(core);
  const rows = listRows(core.store).filter((row) => isSeen(ctx, use, row));
  const page = pageOf(rows, (row) => numberKey(row.id), query);
  const wanted = new Set(wantedNames(core));
  return mapPage(page, (row) => present(core, ctx, { row, use, wanted }));
}

/**
 * Returns a certificate.
 * @throws DavitError not_found if the certificate does not exist or the user cannot see it
 */
export function readCertificate(core: CertificatesDeps, ctx: OpContext, number: string | undefined): Certificate {
  const row = found(core.store, number);
  const use = certificateUse(core);
  if (!isSeen(ctx, use, row)) throw missing();
  return present(core, ctx, { row, use, wanted: new Set(wantedNames(core)) });
}

/**
 * Saves an uploaded certificate and sends it to HAProxy.
 * @throws DavitError invalid_input, forbidden; conflict for a duplicate or if the instance has too many certificates
 */
export async function uploadCertificate(
  core: CertificatesDeps,
  ctx: OpContext,
  upload: CertificateUpload,
): Promise<Certificate> {
  demandAllProjects(ctx.actor, WHAT);
  const read = readUpload(upload, core.now());
  const id = put(core, null, read);
  await serve(core, ctx);
  return readCertificate(core, ctx, String(id));
}

/**
 * Replaces an uploaded certificate. The new certificate gets the id of the old certificate.
 * @throws DavitError not_found, invalid_input, forbidden; conflict for a duplicate or an ordered certificate
 */
export async function replaceCertificate(
  core: CertificatesDeps,
  ctx: OpContext,
  number: string | undefined,
  upload: CertificateUpload,
): Promise<Certificate> {
  demandAllProjects(ctx.actor, WHAT);
  const { id, kind } = found(core.store, number);
  if (kind !== 'custom') {
    throw new DavitError(
      'conflict',
      'Davit requests this certificate automatically, so it cannot be replaced. Upload your certificate as a new one.',
    );
  }
  put(core, id, readUpload(upload, core.now()));
  await serve(core, ctx);
  return readCertificate(core, ctx, String(id));
}

/**
 * Deletes a certificate.
 * @throws DavitError not_found; conflict if Davit renews the certificate for a host; forbidden if the user does not
 * have access to all projects
 */
export async function removeCertificate(
  core: CertificatesDeps,
  ctx: OpContext,
  number: string | undefined,
): Promise<void> {
  demandAllProjects(ctx.actor, WHAT);
  const row = found(core.store, number);
  if (row.kind === 'acme' && isWanted(core, row)) {
    const message =
      'Domains use this certificate, and Davit renews it automatically. Remove the domains before you delete the certificate.';
    throw new DavitError('conflict', message);
  }
  core.store.tx((tx) => {
    core.store.trail.about({ target: nameOf(row) });
    deleteCertificate(tx, row.id);
  });
  await serve(core, ctx);
}

/**
 * Starts the renewal of an ordered certificate at once.
 * @throws DavitError not_found, forbidden; conflict for an uploaded certificate, an unused certificate, or a missing
 * contact address
 */
export function renewCertificate(core: CertificatesDeps, ctx: OpContext, number: string | undefined): Certificate {
  demandAllProjects(ctx.actor, WHAT);
  const row = found(core.store, number);
  if (row.kind !== 'acme') {
    throw new DavitError('conflict', 'Davit cannot renew an uploaded certificate. Replace it with a new one.');
  }
  if (core.settings().acme.email === null) {
    throw new DavitError('conflict', NO_CONTACT.message);
  }
  if (!isWanted(core, row)) {
    throw new DavitError('conflict', 'No domain uses this certificate any more, so Davit does not renew it.');
  }
  resumeAuthority(core);
  core.store.tx((tx) => {
    core.store.trail.about({ target: nameOf(row) });
    // Delete the saved errors of earlier certificate orders. Otherwise, users would think that the new renewal failed.
    const requested = { status: 'waiting', renew: 1, next_try_at: null, problem: null, problem_code: null } as const;
    for (const name of hostsOf(row)) setCertificateName(tx, name, requested);
  });
  core.nudgeCertificates();
  return readCertificate(core, ctx, number);
}

function readUpload({ certificate, key }: CertificateUpload, now: number): ReadCertificate {
  try {
    return readPem(certificate, key, now);
  } catch (cause) {
    if (!(cause instanceof PemRefused)) throw cause;
    throw refusedField(cause.problem, { cause });
  }
}

/**
 * Saves an uploaded certificate.
 * @param replaced id of the certificate that the uploaded certificate replaces
 * @throws DavitError conflict for a duplicate or if the instance has too many certificates
 */
function put(core: CertificatesDeps, replaced: number | null, { key, ...read }: ReadCertificate): number {
  const at = core.now();
  return core.store.tx((tx) => {
    const others = listRows(tx).filter(({ kind, id }) => kind === 'custom' && id !== replaced);
    const same = others.find(({ fingerprint }) => fingerprint === read.fingerprint);
    if (same) throw new DavitError('conflict', `This certificate was already uploaded as certificate ${same.id}.`);
    if (others.length >= MOST) {
      throw new DavitError(
        'conflict',
        `The instance already has ${MOST} uploaded certificates, the maximum. Delete one first.`,
      );
    }
    const row = { ...read, kind: 'custom' as const, directory: null, created_at: at, updated_at: at };
    core.store.trail.about({ target: read.hosts[0] ?? '' });
    return putCertificate(tx, replaced, row, (id) => core.sealer.seal(key, keyLocation(id)));
  });
}

function present(
  core: CertificatesDeps,
  { actor }: OpContext,
  { row, use, wanted }: { row: CertificateBrief; use: CertificateUse; wanted: ReadonlySet<string> },
): Certificate {
  const at = core.now();
  const hosts = hostsOf(row);
  const renews = row.kind === 'acme' && hosts.some((host) => wanted.has(host));
  const own = row.kind === 'acme' ? hosts.map((host) => certificateName(core.store, host)) : [];
  const troubled = own.find((name) => name?.problem != null);
  const seen = use(row.id).filter(({ projectId }) => sees(actor, projectId));
  return {
    id: row.id,
    kind: row.kind,
    hosts,
    status: isValid(row, at) ? 'active' : row.not_before > at ? 'not_yet_valid' : 'expired',
    issuer: row.issuer,
    serial: row.serial,
    fingerprint: row.fingerprint,
    not_before: timestamp(row.not_before),
    not_after: timestamp(row.not_after),
    renews_at: renews ? timestamp(renewsAt(row)) : null,
    used_by: [...new Set(seen.map(({ name }) => name))].toSorted(),
    problem: troubled?.problem ?? null,
    problem_code: troubled?.problem_code ?? null,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

/**
 * Returns whether the user can see a certificate. An unused certificate can contain the names of deleted hosts. So only
 * users with access to all projects can see such a certificate.
 */
function isSeen({ actor }: OpContext, use: CertificateUse, { id }: CertificateBrief): boolean {
  return actor.projects === null || use(id).some(({ projectId }) => sees(actor, projectId));
}

function isWanted(core: CertificatesDeps, row: CertificateBrief): boolean {
  const wanted = new Set(wantedNames(core));
  return hostsOf(row).some((host) => wanted.has(host));
}

function hostsOf({ hosts }: CertificateBrief): string[] {
  return JSON.parse(hosts) as string[];
}

function nameOf(row: CertificateBrief): string {
  return hostsOf(row)[0] ?? String(row.id);
}

function found(db: Reader, number: string | undefined): CertificateBrief {
  const row = byPathNumber(number, (id) => certificateById(db, id));
  if (row === undefined) throw missing();
  return row;
}

function missing(): DavitError {
  return new DavitError(
    'not_found',
    'The certificate does not exist, or you do not have access to it. List the certificates.',
  );
}

/**
 * Sends changed certificates to HAProxy. Also starts the certificate reconciler, because some hosts may have no
 * certificate after a certificate is deleted.
 */
async function serve(core: CertificatesDeps, ctx: OpContext): Promise<void> {
  core.nudgeCertificates();
  try {
    await core.proxy.sync(routeTable(core));
  } catch (error) {
    if (!(error instanceof ProxyUnavailable)) throw error;
    /*
     * If HAProxy is unavailable, the reconciler later reads the changed certificate from the database and sends it to
     * HAProxy.
     */
    ctx.log.warn({ error }, 'a changed certificate could not be sent to the proxy; the reconciler tries again');
    core.nudgeRoutes();
  }
}
