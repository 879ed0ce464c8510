/**
 * Checks whether the default hosts of apps resolve to this instance in public DNS. A default host is a host name that
 * Davit generates for an app.
 */
import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type AddressRule, responseTo } from '@davit/service';
import { FewAtOnce } from '@davit/service/few-at-once';
import { ProxyUnavailable } from '../../adapters/proxy/proxy.ts';
import { deleteChallenges, insertChallenge } from '../../db/tables/certificate.ts';
import { setCertificateName } from '../../db/tables/certificate-name.ts';
import { routeTable } from '../../routing/route-table.ts';
import { authorityOf, isLocalName } from './authority.ts';
import type { CertificatesDeps } from './deps.ts';
import { defaultHosts, isUsed, providerFor, servedHosts } from './wanted.ts';

/**
 * Interval in milliseconds between the DNS checks of an app's default host. Davit repeats the check until the host
 * resolves to this instance.
 */
const AGAIN_MS = 3_600_000;

/**
 * Maximum number of default hosts of apps that are checked at the same time. A default host is a host name below the
 * domain of the instance.
 */
const MOST = 20;

const PROBE_MS = 5_000;

/**
 * Sends an HTTP request to each unused default host of apps. If the request reaches this instance, marks the host as
 * used.
 * @param lookedUp time of the last check of each host, in milliseconds since the epoch. The map is kept between calls.
 */
export async function findUsedHosts(
  base: CertificatesDeps,
  lookedUp: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const at = base.now();
  const all = unknownHosts(base);
  const known = new Set(all);
  for (const host of lookedUp.keys()) if (!known.has(host)) lookedUp.delete(host);
  const hosts = all.filter((host) => (lookedUp.get(host) ?? 0) + AGAIN_MS <= at || !lookedUp.has(host)).slice(0, MOST);
  if (hosts.length === 0) return;
  const token = `davit-${randomBytes(16).toString('hex')}`;
  // No other server sends this response, because it is random and only the HAProxy of this instance has it.
  const answer = randomBytes(16).toString('hex');
  try {
    base.store.tx((tx) => insertChallenge(tx, token, answer));
    await base.proxy.sync(routeTable(base));
    for (const host of hosts) lookedUp.set(host, at);
    const resolve = resolveBy(base.settings().acme.resolver);
    const isOwn = await ownAddressesOf(base, resolve);
    const probe = (host: string) => leadsHere(base, { host, token, answer, resolve, isOwn }, signal);
    const results = await Promise.all(hosts.map(probe));
    const used = hosts.filter((_, i) => results[i]);
    base.store.tx((tx) => {
      for (const host of used) setCertificateName(tx, host, { asked_at: at });
    });
  } catch (error) {
    if (!(error instanceof ProxyUnavailable)) throw error;
    // Without HAProxy, Davit cannot check the default hosts of apps. The next run repeats the check.
  } finally {
    base.store.tx((tx) => deleteChallenges(tx, token));
    base.nudgeRoutes();
  }
}

function unknownHosts(base: CertificatesDeps): string[] {
  const { domain } = base.facts;
  const { public: isPublic } = authorityOf(base.settings().acme.directory);
  /*
   * The check is not necessary if Davit can order a wildcard certificate for the default hosts. It is also not
   * necessary if a public authority issues no certificates for these hosts.
   */
  if (providerFor(base, domain) !== undefined || (isPublic && isLocalName(domain))) return [];
  return defaultHosts(base).filter((host) => !isUsed(base, host));
}

/** Host name that apps use, but whose DNS records do not lead to this instance. */
export interface StrayHost {
  host: string;
  /** First address of the host, or `null` if it has none. */
  address: string | null;
}

/** Returns the served hosts whose DNS records do not lead to this instance. Local names are not checked. */
export async function findStrayHosts(base: CertificatesDeps, signal: AbortSignal): Promise<StrayHost[]> {
  const resolve = resolveBy(base.settings().acme.resolver);
  const isOwn = await ownAddressesOf(base, resolve);
  const lanes = new FewAtOnce(MOST);
  const found = await Promise.all(
    servedHosts(base)
      .filter((host) => !isLocalName(host))
      .map((host) =>
        lanes.run(signal, async () => {
          const addresses = await resolve(host);
          return addresses.some(isOwn) ? null : { host, address: addresses[0] ?? null };
        }),
      ),
  );
  return found.filter((one) => one !== null);
}

interface Probe {
  host: string;
  token: string;
  answer: string;
  resolve: Resolve;
  isOwn: AddressRule;
}

/**
 * Resolves a host name by DNS and returns its IP addresses. If the host name has no addresses, returns an empty list.
 */
type Resolve = (host: string) => Promise<string[]>;

function resolveBy(server: string | null): Resolve {
  const resolver = new Resolver({ timeout: PROBE_MS / 2, tries: 1 });
  if (server !== null) resolver.setServers([server]);
  return async (host) => {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  };
}

/** Returns a function that checks whether an IP address belongs to this instance. */
async function ownAddressesOf({ facts, isOwnAddress }: CertificatesDeps, resolve: Resolve): Promise<AddressRule> {
  // Include the IP address of the instance's domain, because it can be the address of a reverse proxy.
  const ofDomain = new Set([...(await resolve(facts.domain)), facts.domainAddress]);
  return (address) => ofDomain.has(address) || isOwnAddress(address);
}

async function leadsHere(
  base: CertificatesDeps,
  { host, token, answer, resolve, isOwn }: Probe,
  signal: AbortSignal,
): Promise<boolean> {
  const { directory } = base.settings().acme;
  // Public ACME authorities always send the HTTP-01 request to port 80. A private authority may use another port.
  const port = authorityOf(directory).public ? 80 : base.facts.ports.http;
  /*
   * Send requests only to IP addresses of this instance. Otherwise, Davit could send requests to any server, because
   * users choose the host names.
   */
  const address = (await resolve(host)).find(isOwn);
  if (address === undefined) return false;
  const body = await readAnswer({ address, port, host, path: `/.well-known/acme-challenge/${token}` }, signal);
  return body?.trim() === answer;
}

/**
 * Sends an HTTP request to a host and returns the body of the response. Returns `null` if the request fails, the status
 * is not 200, or the body is longer than 1 KiB.
 */
export async function readAnswer(
  { address, port, host, path }: { address: string; port: number; host: string; path: string },
  signal: AbortSignal,
): Promise<string | null> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]);
  const clientRequest = request({ host: address, port, path, headers: { host }, agent: false, signal: limited });
  try {
    const answered = responseTo(clientRequest);
    clientRequest.end();
    const response = await answered;
    const length = Number(response.headers['content-length'] ?? Number.POSITIVE_INFINITY);
    // Do not read a response body of more than 1 KiB. The expected response is a random token of less than 1 KiB.
    return response.statusCode === 200 && length <= 1_024 ? await text(response) : null;
  } catch {
    return null;
  } finally {
    clientRequest.destroy();
  }
}
