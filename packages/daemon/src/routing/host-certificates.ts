/** Selects the TLS certificate that HAProxy presents for each host name. */
import type { RouteCertificate, RouteRules, RouteTable } from '../adapters/proxy/proxy.ts';
import type { Reader } from '../db/store.ts';
import {
  type CertificateBrief,
  certificateBytes,
  certificatesNaming,
  listCertificates,
  listChallenges,
} from '../db/tables/certificate.ts';
import type { RoutingDeps } from './deps.ts';

type Served = Pick<RoutingDeps, 'store' | 'sealer' | 'now'>;

/** Returns the additional authenticated data (AAD) for the AES-GCM encryption of a certificate's private key. */
export function keyLocation(id: number): string {
  return `certificates/${id}/key`;
}

/**
 * Returns the wildcard name for a host name, for example `*.example.com`. Returns `null` for a host name with only one
 * label and for a wildcard name.
 */
export function wildcardOver(host: string): string | null {
  const dot = host.indexOf('.');
  return dot <= 0 || host.startsWith('*') ? null : `*${host.slice(dot)}`;
}

/** Returns whether the validity period of a certificate includes a time, in milliseconds since the epoch. */
export function isValid({ not_before, not_after }: CertificateBrief, now: number): boolean {
  return not_before <= now && now < not_after;
}

/**
 * Returns the certificate that HAProxy presents for a host name. A valid uploaded certificate has priority over a valid
 * issued certificate.
 */
export function servedFor(
  { store, now }: Pick<RoutingDeps, 'store' | 'now'>,
  host: string,
): CertificateBrief | undefined {
  const at = now();
  return named(store, host).toSorted((a, b) => compare(a, b, at))[0];
}

function named(db: Reader, host: string): CertificateBrief[] {
  const wildcard = wildcardOver(host);
  const exact = certificatesNaming(db, host);
  return wildcard === null ? exact : [...exact, ...certificatesNaming(db, wildcard)];
}

/**
 * Returns the certificates for HAProxy. If several certificates contain a host name, the host name is assigned to the
 * certificate with the highest priority.
 */
export function routeCertificates(base: Served): RouteCertificate[] {
  const at = base.now();
  const claims = new Map<string, number>();
  const served: RouteCertificate[] = [];
  for (const row of listCertificates(base.store).toSorted((a, b) => compare(a, b, at))) {
    const rank = rankOf(row, at);
    const hosts = (JSON.parse(row.hosts) as string[]).filter((host) => isFree(claims, host, rank));
    if (hosts.length === 0) continue;
    for (const host of hosts) claims.set(host, rank);
    const name = `c${row.id}-${row.fingerprint.slice(0, 16)}`;
    served.push({ name, hosts, pem: () => pemOf(base, row.id) });
  }
  return served;
}

/** Returns the pending HTTP-01 challenges of certificate authorities, and the responses that HAProxy sends. */
export function routeChallenges({ store }: Pick<RoutingDeps, 'store'>): NonNullable<RouteTable['challenges']> {
  return listChallenges(store);
}

/**
 * HSTS header for the host name of the instance, for half a year. The header does not include subdomains, because apps
 * have their own HSTS settings.
 */
const HSTS = 'max-age=15768000';

/**
 * Returns the HAProxy rules for the host name of the instance. If a valid certificate covers this host name, HTTP
 * requests are redirected to HTTPS.
 */
export function routeDomainRules(base: Pick<RoutingDeps, 'store' | 'facts' | 'now'>): RouteRules | undefined {
  const { domain } = base.facts;
  const certificate = servedFor(base, domain);
  if (isLoopbackName(domain) || certificate === undefined || !isValid(certificate, base.now())) return undefined;
  return {
    httpsOnly: true,
    hsts: HSTS,
    redirectTo: null,
    basicAuth: null,
    allow: [],
    requestsPerMinute: null,
    maintenance: null,
    headers: {},
  };
}

/**
 * Returns whether a domain is a loopback name. HSTS for `localhost` would also apply to other servers on a developer's
 * computer.
 */
function isLoopbackName(domain: string): boolean {
  return domain === 'localhost' || domain.endsWith('.localhost');
}

/**
 * Returns the priority of a certificate. A valid uploaded certificate has priority 0 (highest). A valid issued
 * certificate has priority 1. An invalid certificate has priority 2.
 */
function rankOf(row: CertificateBrief, at: number): number {
  // HAProxy presents an invalid certificate only if no valid certificate covers the host name.
  if (!isValid(row, at)) return 2;
  return row.kind === 'custom' ? 0 : 1;
}

function compare(a: CertificateBrief, b: CertificateBrief, at: number): number {
  return rankOf(a, at) - rankOf(b, at) || b.updated_at - a.updated_at || b.id - a.id;
}

/**
 * Returns whether a host name has no certificate yet. Also requires that no wildcard certificate with a higher priority
 * (lower `rank`) covers the host name.
 */
function isFree(claims: ReadonlyMap<string, number>, host: string, rank: number): boolean {
  if (claims.has(host)) return false;
  const wildcard = wildcardOver(host);
  const claim = wildcard === null ? undefined : claims.get(wildcard);
  return claim === undefined || claim >= rank;
}

function pemOf({ store, sealer }: Served, id: number): string {
  const bytes = certificateBytes(store, id);
  if (bytes === undefined) throw new Error(`The certificate ${id} does not exist in the database.`);
  return `${bytes.chain.trimEnd()}\n${sealer.open(bytes.key, keyLocation(id)).trimEnd()}\n`;
}
