/** Finds the host names for which Davit must order a TLS certificate. */
import { defaultHost, registryHost } from '../../adapters/proxy/routes.ts';
import type { Reader } from '../../db/store.ts';
import { type CertificateBrief, certificatesNaming, listCertificates } from '../../db/tables/certificate.ts';
import { certificateName, listCertificateNames } from '../../db/tables/certificate-name.ts';
import { type DnsProviderRow, listDnsProviders } from '../../db/tables/dns-provider.ts';
import { allDomains } from '../../db/tables/domain.ts';
import { type AppRouteRow, allAppRoutes, instancesWithTraffic } from '../../db/tables/route.ts';
import { isValid, wildcardOver } from '../../routing/host-certificates.ts';
import { authorityOf, isLocalName } from './authority.ts';
import type { CertificatesDeps } from './deps.ts';
import type { OrderProblem } from './problem.ts';
import { renewsAt } from './times.ts';

export type WantedNamesDeps = Pick<CertificatesDeps, 'store' | 'facts' | 'settings' | 'now'>;

/**
 * Returns all host names that need a certificate. These are the hosts of the instance, the domains of apps, and the
 * generated hosts of apps that clients use.
 */
export function wantedNames(base: WantedNamesDeps): string[] {
  const why = whyNone(base);
  return [...new Set([...ownHosts(base), ...defaultNames(base)])].filter((name) => why(name) === null);
}

/**
 * Returns all host names for which HAProxy accepts requests. These are the hosts of the instance, the domains of apps,
 * and the generated hosts of apps.
 */
export function servedHosts(base: Pick<CertificatesDeps, 'store' | 'facts'>): string[] {
  return [...new Set([...ownHosts(base), ...defaultHosts(base)])];
}

function ownHosts({ store, facts }: Pick<CertificatesDeps, 'store' | 'facts'>): string[] {
  return [facts.domain, registryHost(facts.domain), ...allDomains(store).map(({ host }) => host)];
}

/**
 * Returns a function that returns the reason why Davit orders no certificate for a host name. If Davit orders a
 * certificate for the host name, the function returns `null`.
 */
export function whyNone(base: WantedNamesDeps): (name: string) => OrderProblem | null {
  const at = base.now();
  // Read the uploaded certificates only once, so that checks of many host names are fast.
  const uploaded = uploadedByName(base.store);
  const isCovered = (name: string) => uploaded.get(name)?.some((row) => isValid(row, at)) ?? false;
  const { directory, email } = base.settings().acme;
  const authority = authorityOf(directory);
  return (name) => {
    if (isCovered(name) || isCovered(wildcardOver(name) ?? '')) {
      return COVERED;
    }
    if (authority.public && isLocalName(name)) {
      return {
        code: 'name_not_public',
        message: `${name} is a name of this server or local network, and ${authority.name} issues no certificates for local names. ${LOCAL_ADVICE}`,
      };
    }
    return email === null ? NO_CONTACT : null;
  };
}

/** Advice for users about a host name for which no public certificate authority issues certificates. */
const LOCAL_ADVICE =
  'Add a domain that you own, upload a certificate for this name, or enter the certificate authority of your network in the setting acme.directory.';

/**
 * Returns the uploaded certificates by host name. The result is cached until the next SQLite commit, because lists of
 * domains call this function often.
 */
function uploadedByName(db: Reader): ReadonlyMap<string, readonly CertificateBrief[]> {
  return db.memo('uploaded certificates by name', () => {
    const named = listCertificates(db)
      .filter(({ kind }) => kind === 'custom')
      .flatMap((row) => (JSON.parse(row.hosts) as string[]).map((host) => ({ host, row })));
    const byName = Map.groupBy(named, ({ host }) => host);
    return new Map([...byName].map(([host, all]) => [host, all.map(({ row }) => row)]));
  });
}

const COVERED: OrderProblem = {
  code: 'covered_by_upload',
  message: 'Davit does not request a certificate while a valid uploaded certificate covers this name.',
};

/** Error if the settings contain no contact address for the certificate authority. */
export const NO_CONTACT: OrderProblem = {
  code: 'contact_missing',
  message:
    'Davit cannot request a certificate without an e-mail address. Run `davit settings set acme.email=you@example.com` with your address, or set it in the settings of the instance.',
};

/**
 * Returns the DNS provider for a host name. If several providers match, returns the provider with the longest domain.
 * If no provider matches, Davit uses an HTTP-01 challenge.
 */
export function providerFor({ store }: Pick<CertificatesDeps, 'store'>, name: string): DnsProviderRow | undefined {
  const host = name.replace(/^\*\./, '');
  const covering = listDnsProviders(store).flatMap((row) =>
    (JSON.parse(row.domains) as string[])
      .filter((domain) => host === domain || host.endsWith(`.${domain}`))
      .map((domain) => ({ row, length: domain.length })),
  );
  return covering.toSorted((a, b) => b.length - a.length)[0]?.row;
}

/** Returns the host names that Davit generated for apps. The list contains only apps with a running replica. */
export function defaultHosts({ store, facts }: Pick<CertificatesDeps, 'store' | 'facts'>): string[] {
  const running = new Set(instancesWithTraffic(store).map(({ app_id }) => app_id));
  const hasHost = ({ port, protocol, worker, app_id }: AppRouteRow) =>
    port === null && protocol === 'http' && worker === 0 && running.has(app_id);
  return allAppRoutes(store)
    .filter(hasHost)
    .map((route) => defaultHost(route, facts.domain));
}

/** Returns the host names that Davit generated for apps, including stopped apps. */
export function possibleDefaultHosts({ store, facts }: Pick<CertificatesDeps, 'store' | 'facts'>): string[] {
  return allAppRoutes(store).map((route) => defaultHost(route, facts.domain));
}

/**
 * Returns the generated host names of apps that need a certificate. If Davit can set DNS records for the instance's
 * domain, returns one wildcard name per environment instead.
 */
function defaultNames(base: WantedNamesDeps): string[] {
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

/**
 * Returns whether a wildcard certificate covers a host name and needs no renewal yet. The DNS provider of the
 * certificate may already be deleted.
 */
function isCoveredByWildcard({ store, now }: WantedNamesDeps, host: string): boolean {
  const wildcard = wildcardOver(host);
  return wildcard !== null && certificatesNaming(store, wildcard).some((row) => renewsAt(row) > now());
}

/**
 * Returns whether clients use a host name. A host name is used if Davit has received a request for it, or if its DNS
 * record leads to this instance.
 */
export function isUsed({ store }: Pick<CertificatesDeps, 'store'>, host: string): boolean {
  return (certificateName(store, host)?.asked_at ?? null) !== null;
}
