/** Selection of the certificate that the proxy presents for each host. */
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

/** Returns the place of a certificate's key for the encryption, see `Sealer`. */
export function keyPlace(id: number): string {
  return `certificates/${id}/key`;
}

/**
 * Returns the wildcard name that covers a host: `*.example.com` for `shop.example.com`. `null` for a name with one
 * label, and for a wildcard.
 */
export function wildcardOver(host: string): string | null {
  const dot = host.indexOf('.');
  return dot <= 0 || host.startsWith('*') ? null : `*${host.slice(dot)}`;
}

/** Returns whether a certificate is valid at a time, according to its dates. */
export function isValid({ not_before, not_after }: CertificateBrief, now: number): boolean {
  return not_before <= now && now < not_after;
}

/**
 * Returns the certificate that the proxy presents for a host. A valid uploaded certificate takes precedence over a
 * valid ordered one.
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
 * Returns all certificates with the hosts for which the proxy presents them. If two certificates contain a host, only
 * the better one is used for it.
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

/** Returns the present challenges of certificate authorities with their answers. */
export function routeChallenges({ store }: Pick<RoutingDeps, 'store'>): NonNullable<RouteTable['challenges']> {
  return listChallenges(store);
}

/**
 * Value of the HSTS header, with the usual period of half a year. The header does not cover the hosts of apps below the
 * instance's host, because they have their own rules.
 */
const HSTS = 'max-age=15768000';

/** Returns the rules of the instance's host. Once the host has a valid certificate, only HTTPS is possible. */
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
 * Returns whether a domain is a loopback name. Such a name gets no HSTS, because browsers apply HSTS to all ports of
 * the computer, where developers run other programs.
 */
function isLoopbackName(domain: string): boolean {
  return domain === 'localhost' || domain.endsWith('.localhost');
}

/**
 * Returns the rank of a certificate. 0: valid and uploaded. 1: valid and ordered. 2: any other, which the proxy
 * presents only if there is no better certificate.
 */
function rankOf(row: CertificateBrief, at: number): number {
  if (!isValid(row, at)) return 2;
  return row.kind === 'custom' ? 0 : 1;
}

function compare(a: CertificateBrief, b: CertificateBrief, at: number): number {
  return rankOf(a, at) - rankOf(b, at) || b.updated_at - a.updated_at || b.id - a.id;
}

/**
 * Returns whether a host is free for a certificate of this rank. A wildcard takes precedence for the hosts below it
 * over worse certificates, but not over equally good ones.
 */
function isFree(claims: ReadonlyMap<string, number>, host: string, rank: number): boolean {
  if (claims.has(host)) return false;
  const wildcard = wildcardOver(host);
  const claim = wildcard === null ? undefined : claims.get(wildcard);
  return claim === undefined || claim >= rank;
}

function pemOf({ store, sealer }: Served, id: number): string {
  const bytes = certificateBytes(store, id);
  if (bytes === undefined) throw new Error(`read certificate ${id}: it does not exist`);
  return `${bytes.chain.trimEnd()}\n${sealer.open(bytes.key, keyPlace(id)).trimEnd()}\n`;
}
