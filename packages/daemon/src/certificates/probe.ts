/** Finds the default hosts that resolve to this instance, as the world sees them. */
import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { ProxyUnavailable } from '../proxy/proxy.ts';
import type { Base } from '../release/base.ts';
import { routeTable } from '../release/routing.ts';
import { deleteChallenges, insertChallenge } from '../store/certificate.ts';
import { setCertificateName } from '../store/certificate-name.ts';
import { authorityOf, isLocalName } from './authority.ts';
import { defaultHosts, isUsed, providerFor } from './wanted.ts';

/** A host that does not resolve here is asked again after so long. */
const AGAIN_MS = 3_600_000;

/** In one pass. */
const MOST = 20;

const PROBE_MS = 5_000;

/**
 * Marks the default hosts that lead here as used: a request to the host, through DNS, brings back what only this
 * instance's proxy can answer.
 * @param lookedUp when each was last asked, in milliseconds since the epoch; kept by the caller
 */
export async function findUsedHosts(base: Base, lookedUp: Map<string, number>, signal: AbortSignal): Promise<void> {
  const at = base.now();
  const all = unknownHosts(base);
  const known = new Set(all);
  for (const host of lookedUp.keys()) if (!known.has(host)) lookedUp.delete(host);
  const hosts = all.filter((host) => (lookedUp.get(host) ?? 0) + AGAIN_MS <= at || !lookedUp.has(host)).slice(0, MOST);
  if (hosts.length === 0) return;
  const token = `davit-${randomBytes(16).toString('hex')}`;
  const answer = randomBytes(16).toString('hex');
  try {
    base.store.tx((tx) => insertChallenge(tx, token, answer));
    await base.proxy.sync(routeTable(base));
    for (const host of hosts) lookedUp.set(host, at);
    const asked = await Promise.all(hosts.map((host) => leadsHere(base, { host, token, answer }, signal)));
    const used = hosts.filter((_, i) => asked[i]);
    base.store.tx((tx) => {
      for (const host of used) setCertificateName(tx, host, { asked_at: at });
    });
  } catch (error) {
    if (!(error instanceof ProxyUnavailable)) throw error;
    // Without a proxy nothing leads here; the next pass asks again.
  } finally {
    base.store.tx((tx) => deleteChallenges(tx, token));
    base.nudgeRoutes();
  }
}

function unknownHosts(base: Base): string[] {
  const { domain } = base.facts;
  const { public: isPublic } = authorityOf(base.settings().acme.directory);
  // A wildcard stands for them, or no authority gives anything for them.
  if (providerFor(base, domain) !== undefined || (isPublic && isLocalName(domain))) return [];
  return defaultHosts(base).filter((host) => !isUsed(base, host));
}

interface Probe {
  host: string;
  token: string;
  answer: string;
}

async function leadsHere(base: Base, { host, token, answer }: Probe, signal: AbortSignal): Promise<boolean> {
  const { resolver: server, directory } = base.settings().acme;
  // The world comes in on port 80; only a private authority may be told of another one.
  const port = authorityOf(directory).public ? 80 : base.facts.ports.http;
  const resolver = new Resolver({ timeout: PROBE_MS / 2, tries: 1 });
  if (server !== null) resolver.setServers([server]);
  const addresses = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const [address] = addresses.flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
  if (address === undefined) return false;
  const told = await read({ address, port, host, path: `/.well-known/acme-challenge/${token}` }, signal);
  return told?.trim() === answer;
}

/** What is answered there; null: nothing that says anything. */
async function read(
  { address, port, host, path }: { address: string; port: number; host: string; path: string },
  signal: AbortSignal,
): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const limited = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]);
  const asked = request({ host: address, port, path, headers: { host }, agent: false, signal: limited }, (response) => {
    const length = Number(response.headers['content-length'] ?? Number.POSITIVE_INFINITY);
    // What is longer than the answer is something else's, and not read.
    if (response.statusCode !== 200 || length > 1_024) {
      response.destroy();
      resolve(null);
    } else text(response).then(resolve, () => resolve(null));
  });
  asked.on('error', () => resolve(null));
  asked.end();
  return promise;
}
