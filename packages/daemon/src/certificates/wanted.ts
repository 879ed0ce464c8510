/** For which names a certificate is ordered, from what is on record. */
import { defaultHost, registryHost } from '../proxy/routes.ts';
import type { Base } from '../release/base.ts';
import { isValid, wildcardOver } from '../release/certificates.ts';
import { type CertificateBrief, certificatesNaming, listCertificates } from '../store/certificate.ts';
import { certificateName, listCertificateNames } from '../store/certificate-name.ts';
import { type DnsProviderRow, listDnsProviders } from '../store/dns-provider.ts';
import { allDomains } from '../store/domain.ts';
import { type AppRouteRow, allAppRoutes, instancesWithTraffic } from '../store/route.ts';
import type { Reader } from '../store/store.ts';
import { authorityOf, isLocalName } from './authority.ts';
import { renewsAt } from './times.ts';

export type World = Pick<Base, 'store' | 'facts' | 'settings' | 'now'>;

/**
 * Every name that a certificate is ordered for: the platform's own, the domains of apps, and default hosts that somebody
 * uses. Where records of the domain can be written, one wildcard an environment stands for all of its default hosts.
 */
export function wantedNames(base: World): string[] {
  const why = whyNone(base);
  return [...new Set([...ownHosts(base), ...defaultNames(base)])].filter((name) => why(name) === null);
}

/** Every host that is served: the platform's own, the domains of apps, and their default hosts. */
export function servedHosts(base: Pick<Base, 'store' | 'facts'>): string[] {
  return [...new Set([...ownHosts(base), ...defaultHosts(base)])];
}

function ownHosts({ store, facts }: Pick<Base, 'store' | 'facts'>): string[] {
  return [facts.domain, registryHost(facts.domain), ...allDomains(store).map(({ host }) => host)];
}

/** Why no certificate is ordered for a name, in a sentence; null: one is. Looked up once for as many names as are asked. */
export function whyNone(base: World): (name: string) => string | null {
  const at = base.now();
  const uploaded = uploadedByName(base.store);
  const isCovered = (name: string) => uploaded.get(name)?.some((row) => isValid(row, at)) ?? false;
  const { directory, email } = base.settings().acme;
  const authority = authorityOf(directory);
  return (name) => {
    if (isCovered(name) || isCovered(wildcardOver(name) ?? '')) {
      return 'The uploaded certificate covers it: none is ordered while that is valid.';
    }
    if (authority.public && isLocalName(name)) {
      return `${name} is a name of this machine or network alone, for which ${authority.name} gives no certificate.`;
    }
    return email === null ? NO_CONTACT : null;
  };
}

/** Uploaded certificates by each name in them; read once a commit, since every domain of a list is asked about. */
function uploadedByName(db: Reader): ReadonlyMap<string, readonly CertificateBrief[]> {
  return db.memo('uploaded certificates by name', () => {
    const named = listCertificates(db)
      .filter(({ kind }) => kind === 'custom')
      .flatMap((row) => (JSON.parse(row.hosts) as string[]).map((host) => ({ host, row })));
    const byName = Map.groupBy(named, ({ host }) => host);
    return new Map([...byName].map(([host, all]) => [host, all.map(({ row }) => row)]));
  });
}

const NO_CONTACT = 'No certificate is ordered yet: set acme.email in the settings of the instance.';

/** The provider through which a name is proven, the one of the nearest domain; undefined: over HTTP. */
export function providerFor({ store }: Pick<Base, 'store'>, name: string): DnsProviderRow | undefined {
  const host = name.replace(/^\*\./, '');
  const covering = listDnsProviders(store).flatMap((row) =>
    (JSON.parse(row.domains) as string[])
      .filter((domain) => host === domain || host.endsWith(`.${domain}`))
      .map((domain) => ({ row, length: domain.length })),
  );
  return covering.toSorted((a, b) => b.length - a.length)[0]?.row;
}

/** The default hosts of what runs, or of what is to. */
export function defaultHosts({ store, facts }: Pick<Base, 'store' | 'facts'>): string[] {
  const running = new Set(instancesWithTraffic(store).map(({ app_id }) => app_id));
  const hasHost = ({ port, protocol, worker, app_id }: AppRouteRow) =>
    port === null && protocol === 'http' && worker === 0 && running.has(app_id);
  return allAppRoutes(store)
    .filter(hasHost)
    .map((route) => defaultHost(route, facts.domain));
}

/** Those of every app there is, also of one that does not run just now. */
export function possibleDefaultHosts({ store, facts }: Pick<Base, 'store' | 'facts'>): string[] {
  return allAppRoutes(store).map((route) => defaultHost(route, facts.domain));
}

function defaultNames(base: World): string[] {
  const hosts = defaultHosts(base);
  if (providerFor(base, base.facts.domain) !== undefined) {
    return [...new Set(hosts.flatMap((host) => wildcardOver(host) ?? []))];
  }
  const used = new Set(
    listCertificateNames(base.store)
      .filter(({ asked_at }) => asked_at !== null)
      .map(({ name }) => name),
  );
  return hosts.filter((host) => used.has(host) && !isCoveredByWildcard(base, host));
}

/** A wildcard that was issued through a provider which is gone serves until it is old. */
function isCoveredByWildcard({ store, now }: World, host: string): boolean {
  const wildcard = wildcardOver(host);
  return wildcard !== null && certificatesNaming(store, wildcard).some((row) => renewsAt(row) > now());
}

/** Whether it was asked for, or found to resolve here, before. */
export function isUsed({ store }: Pick<Base, 'store'>, host: string): boolean {
  return (certificateName(store, host)?.asked_at ?? null) !== null;
}
