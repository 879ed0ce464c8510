/** Which certificate is presented for which host, from what is on record. */
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

/** Where a certificate's key belongs, for the seal. */
export function keyPlace(id: number): string {
  return `certificates/${id}/key`;
}

/** `shop.example.com` is covered by `*.example.com` too. Null for a name of one label, and for a wildcard. */
export function wildcardOver(host: string): string | null {
  const dot = host.indexOf('.');
  return dot <= 0 || host.startsWith('*') ? null : `*${host.slice(dot)}`;
}

/** Whether its dates say that it may be used now. */
export function isValid({ not_before, not_after }: CertificateBrief, now: number): boolean {
  return not_before <= now && now < not_after;
}

/** The certificate that is presented for a host: an uploaded one before an ordered one, each while it is valid. */
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

/** Every certificate with the hosts that it is presented for: of two for one host, the better alone. */
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

/** What an authority asks for right now, with the answers. */
export function routeChallenges({ store }: Pick<RoutingDeps, 'store'>): NonNullable<RouteTable['challenges']> {
  return listChallenges(store);
}

/** Half a year, as is usual. Apps have hosts of their own below it and speak for themselves. */
const HSTS = 'max-age=15768000';

/** The instance's own host is reached over HTTPS alone once it has a certificate. */
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

/** Browsers keep such a rule for every port of the machine, where other things are developed. */
function isLoopbackName(domain: string): boolean {
  return domain === 'localhost' || domain.endsWith('.localhost');
}

/** 0: valid and uploaded. 1: valid and ordered. 2: any other, presented only where nothing better is. */
function rankOf(row: CertificateBrief, at: number): number {
  if (!isValid(row, at)) return 2;
  return row.kind === 'custom' ? 0 : 1;
}

function compare(a: CertificateBrief, b: CertificateBrief, at: number): number {
  return rankOf(a, at) - rankOf(b, at) || b.updated_at - a.updated_at || b.id - a.id;
}

/** A wildcard takes the hosts below it from certificates that are worse, not from those that are as good. */
function isFree(claims: ReadonlyMap<string, number>, host: string, rank: number): boolean {
  if (claims.has(host)) return false;
  const wildcard = wildcardOver(host);
  const claim = wildcard === null ? undefined : claims.get(wildcard);
  return claim === undefined || claim >= rank;
}

function pemOf({ store, sealer }: Served, id: number): string {
  const bytes = certificateBytes(store, id);
  if (bytes === undefined) throw new Error(`read certificate ${id}: it is gone`);
  return `${bytes.chain.trimEnd()}\n${sealer.open(bytes.key, keyPlace(id)).trimEnd()}\n`;
}
