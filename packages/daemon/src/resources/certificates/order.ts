/** Orders a certificate for one host name, stores the certificate, and updates HAProxy. */
import type { Logger } from '@davit/service';
import { type Lego, LegoFailed } from '../../adapters/lego/lego.ts';
import { ProxyUnavailable } from '../../adapters/proxy/proxy.ts';
import {
  type CertificateBrief,
  certificateById,
  deleteChallenges,
  insertChallenge,
  listCertificates,
  putCertificate,
} from '../../db/tables/certificate.ts';
import { certificateName, setCertificateName } from '../../db/tables/certificate-name.ts';
import { endOrder, insertOrder } from '../../db/tables/certificate-order.ts';
import type { DnsProviderRow } from '../../db/tables/dns-provider.ts';
import { keyLocation } from '../../routing/host-certificates.ts';
import { routeTable } from '../../routing/route-table.ts';
import { credentialsOf } from '../dns-providers/credentials.ts';
import { noteRegistered, pauseAuthority } from './account.ts';
import type { AcmeAccess } from './acme/messages.ts';
import type { AcmeSession, Issued } from './acme/session.ts';
import type { CertificatesDeps } from './deps.ts';
import { type OrderRefusal, orderRefusalOf } from './order-refusal.ts';
import { PemRefused, parseCertificate, type ReadCertificate } from './pem.ts';
import { projectOfNames } from './shares.ts';
import { backoffMs } from './times.ts';
import { providerFor } from './wanted.ts';

export interface OrderParts {
  base: CertificatesDeps;
  session: AcmeSession;
  /** The `lego` program for DNS-01 challenges, or `null` if it is not available. */
  lego: Lego | null;
  /** ACME authority and account that were in the settings when the order started. */
  access: AcmeAccess;
  log: Logger;
}

/**
 * Orders a certificate for a host name and saves the result. If the order fails, the function saves the error and does
 * not throw it.
 */
export async function orderCertificate(parts: OrderParts, name: string, signal: AbortSignal): Promise<void> {
  const { base, log } = parts;
  const { directory } = parts.access;
  const replaced = orderedByName(base).get(name);
  const order = base.store.tx((tx) => {
    setCertificateName(tx, name, { status: 'ordering' });
    const renewal = replaced?.directory === directory;
    return insertOrder(tx, { directory, name, renewal, at: base.now(), project: projectOfNames(base)(name) });
  });
  try {
    const issued = await obtain(parts, name, signal);
    const certificate = readIssued(issued, name, base.now());
    keep(base, { name, directory, order, replaced: replaced?.id ?? null, certificate });
    log.info({ name, notAfter: new Date(certificate.not_after).toISOString() }, 'a certificate was issued');
  } catch (error) {
    if (signal.aborted) throw error;
    const refusal = orderRefusalOf(error, name, directory);
    noteRefusal(base, { name, directory, order }, refusal);
    log.warn(
      { name, problem: refusal.problem.message, code: refusal.problem.code, error },
      'a certificate could not be issued',
    );
  } finally {
    base.store.tx((tx) => deleteChallenges(tx));
    // HAProxy must now use the new certificate and stop its response to the ACME challenge.
    await follow(base);
  }
}

/** Returns a map from host name to the newest certificate that Davit requested for this host name. */
export function orderedByName({ store }: Pick<CertificatesDeps, 'store'>): ReadonlyMap<string, CertificateBrief> {
  const ordered = listCertificates(store).filter(({ kind }) => kind === 'acme');
  // A certificate that Davit ordered has exactly one host name.
  return new Map(ordered.map((row) => [(JSON.parse(row.hosts) as string[])[0] ?? '', row]));
}

async function obtain(parts: OrderParts, name: string, signal: AbortSignal): Promise<Issued> {
  const provider = providerFor(parts.base, name);
  return provider === undefined ? overHttp(parts, name, signal) : overDns(parts, name, provider, signal);
}

async function overHttp({ base, session, access }: OrderParts, name: string, signal: AbortSignal): Promise<Issued> {
  return session.order(
    name,
    {
      registered: (url) => noteRegistered(base, access, url),
      async challenge(token, answer) {
        base.store.tx((tx) => insertChallenge(tx, token, answer));
        await base.proxy.sync(routeTable(base));
      },
    },
    signal,
  );
}

async function overDns(
  { base, session, access, lego }: OrderParts,
  name: string,
  row: DnsProviderRow,
  signal: AbortSignal,
): Promise<Issued> {
  if (lego === null)
    throw new LegoFailed(
      'Davit cannot use DNS challenges, because Docker is simulated on this instance and no real containers run.',
    );
  noteRegistered(base, access, await session.register(signal));
  const { directory, email, trustedCa, accountKey } = access;
  const credentials = credentialsOf(base.sealer, row);
  const { resolver } = base.settings().acme;
  const request = { name, directory, email, accountKey, trustedCa, provider: row.provider, credentials, resolver };
  return lego.obtain({ ...request, checkPropagation: row.check_propagation === 1 }, signal);
}

/**
 * Checks an issued certificate with the same rules as an uploaded certificate.
 * @throws PemRefused
 */
function readIssued({ chain, key }: Issued, name: string, now: number): ReadCertificate {
  const certificate = parseCertificate(chain, key, now);
  if (certificate.hosts.length === 1 && certificate.hosts[0] === name) return certificate;
  throw new PemRefused(
    'certificate',
    'mismatch',
    `The certificate is for ${certificate.hosts.join(', ')} and not for ${name}.`,
  );
}

/** Certificate order for a host name. `order` is the id of the order's row in SQLite. */
interface Ordered {
  name: string;
  directory: string;
  order: number;
}

interface Keeping extends Ordered {
  /** Id of the certificate that the order replaces. The value is `null` if the host name has no certificate yet. */
  replaced: number | null;
  certificate: ReadCertificate;
}

function keep(base: CertificatesDeps, { name, directory, order, replaced, certificate }: Keeping): void {
  const at = base.now();
  const { key, ...fields } = certificate;
  base.store.tx((tx) => {
    const row = { ...fields, kind: 'acme' as const, directory, created_at: at, updated_at: at };
    // A user may have deleted the old certificate while Davit requested the new certificate.
    const kept = replaced === null ? undefined : certificateById(tx, replaced);
    putCertificate(tx, kept?.id ?? null, row, (id) => base.sealer.seal(key, keyLocation(id)));
    setCertificateName(tx, name, { status: 'idle', failures: 0, ...NO_PROBLEM, next_try_at: null, renew: 0 });
    endOrder(tx, order, 'issued', null, at);
  });
}

function noteRefusal(
  base: CertificatesDeps,
  { name, directory, order }: Ordered,
  { outcome, problem, concerns, waitMs }: OrderRefusal,
): void {
  const at = base.now();
  const failures = (certificateName(base.store, name)?.failures ?? 0) + (concerns === 'name' ? 1 : 0);
  const until =
    concerns === 'authority'
      ? pauseAuthority(base, directory, problem, waitMs)
      : at + Math.max(waitMs ?? 0, backoffMs(Math.max(failures, 1)));
  base.store.tx((tx) => {
    const known = { problem: problem.message, problem_code: problem.code };
    setCertificateName(tx, name, { status: 'failed', failures, ...known, next_try_at: until });
    endOrder(tx, order, outcome, problem.message, at);
  });
}

const NO_PROBLEM = { problem: null, problem_code: null };

/**
 * Applies the current routes and certificates to HAProxy. If HAProxy is unavailable, a background job applies the
 * routes and certificates later.
 */
async function follow(base: CertificatesDeps): Promise<void> {
  try {
    await base.proxy.sync(routeTable(base));
  } catch (error) {
    if (!(error instanceof ProxyUnavailable)) throw error;
    base.nudgeRoutes();
  }
}
