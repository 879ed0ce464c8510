/**
 * Pure functions that convert a route table to the desired HAProxy state. The state consists of backends, servers and
 * map entries.
 */
import { isIP } from 'node:net';
import {
  MOST_BACKENDS,
  type RouteBackend,
  type RouteCertificate,
  type RouteTable,
  type TrustedProxies,
} from '../proxy.ts';
import { desiredCertificates } from './certificates.ts';
import { type DesiredRoutes, desiredRoutes } from './desired-routes.ts';
import { invalid } from './invalid.ts';
import { API_BACKEND, backendName, REGISTRY_BACKEND } from './names.ts';
import { checkNetwork } from './rules.ts';

export interface DesiredServer {
  name: string;
  /** Address of the HAProxy server as `address:port`. IPv6 addresses are in brackets. */
  endpoint: string;
  active: boolean;
}

export interface DesiredBackend {
  /** Name of the HAProxy backend: `api`, `registry`, or `b` with the backend number of the app, for example `b5`. */
  name: string;
  /** Number of the app in HAProxy. 0 stands for the backends of the API and the registry. */
  slot: number;
  /** Name of the app in the form `project/environment/app`. */
  app: string;
  protocol: RouteBackend['protocol'];
  /**
   * `true` if HAProxy checks the health of the servers. `false` for the API and the registry, because they restart
   * faster than a health check would notice.
   */
  checked: boolean;
  servers: DesiredServer[];
}

export interface Desired extends DesiredRoutes {
  /** Desired HAProxy backends by backend name. */
  backends: Map<string, DesiredBackend>;
  /** HAProxy's responses to ACME challenges, by challenge token. */
  challenges: Map<string, string>;
  /** TLS certificates, with the hosts of each certificate. */
  certificates: RouteCertificate[];
  trusted: TrustedProxies;
}

/**
 * Converts a route table to HAProxy's desired state. Each value is checked, because one invalid value would break the
 * configuration.
 * @throws Error
 */
export function desiredState(table: RouteTable): Desired {
  const backends = new Map<string, DesiredBackend>();
  for (const backend of [ownBackend(API_BACKEND, table.api), ownBackend(REGISTRY_BACKEND, table.registry ?? null)]) {
    backends.set(backend.name, backend);
  }
  for (const backend of table.backends) {
    const name = backendName(backend.slot);
    if (backends.has(name)) throw invalid(`backend number ${backend.slot} occurs twice`);
    backends.set(name, appBackend(backend));
  }
  return {
    backends,
    ...desiredRoutes(table, (name) => backends.has(name)),
    challenges: desiredChallenges(table),
    certificates: desiredCertificates(table.certificates ?? []),
    trusted: desiredTrust(table),
  };
}

/**
 * Returns the backend for the API or the registry. The server name contains the address, so a changed address creates a
 * new server.
 */
function ownBackend(name: string, at: { address: string; port: number } | null): DesiredBackend {
  const where = at === null ? null : endpoint(at.address, at.port);
  const servers = where === null ? [] : [{ name: where.replaceAll(/[[\]]/g, ''), endpoint: where, active: true }];
  return { name, slot: 0, app: name, protocol: 'http', checked: false, servers };
}

/**
 * Sorts the trusted networks and removes duplicates. The same networks then always create the same HAProxy
 * configuration, and HAProxy needs no reload.
 */
function desiredTrust({ trustedProxies }: RouteTable): TrustedProxies {
  const { forwardedFor = [], proxyProtocol = [] } = trustedProxies ?? {};
  const networks = (list: string[]) => [...new Set(list.map(checkNetwork))].sort();
  return { forwardedFor: networks(forwardedFor), proxyProtocol: networks(proxyProtocol) };
}

function desiredChallenges({ challenges = [] }: RouteTable): Map<string, string> {
  for (const { token, answer } of challenges) {
    if (!/^[\w-]{1,200}$/.test(token)) throw invalid(`ACME challenge token ${JSON.stringify(token)} is not valid`);
    if (!/^[\w.-]{1,500}$/.test(answer)) throw invalid(`the response to the ACME challenge ${token} is not valid`);
  }
  return new Map(challenges.map(({ token, answer }) => [token, answer]));
}

function appBackend({ slot, app, protocol, servers }: RouteBackend): DesiredBackend {
  if (!Number.isInteger(slot) || slot < 1 || slot > MOST_BACKENDS)
    throw invalid(`backend number ${slot} is not from 1 to ${MOST_BACKENDS}`);
  if (!/^[a-z0-9/-]+$/.test(app)) throw invalid(`app ${JSON.stringify(app)} is not a valid reference`);
  if (protocol !== 'http' && protocol !== 'h2c') throw invalid(`protocol ${JSON.stringify(protocol)} is not supported`);
  if (new Set(servers.map(({ name }) => name)).size < servers.length)
    throw invalid(`backend number ${slot} contains a server twice`);
  return {
    name: backendName(slot),
    slot,
    app,
    protocol,
    checked: true,
    servers: servers.map(({ name, address, port, state }) => {
      if (!/^[a-z][a-z0-9-]{0,62}$/.test(name)) throw invalid(`server name ${JSON.stringify(name)} is not valid`);
      return { name, endpoint: endpoint(address, port), active: state === 'active' };
    }),
  };
}

/**
 * Returns the desired state, but with the old servers of some apps still active. The new servers of these apps do not
 * respond.
 * @param slots backend numbers of these apps
 */
export function keepServing(desired: Desired, slots: ReadonlySet<number>): Desired {
  const backends = [...desired.backends].map(([name, backend]): [string, DesiredBackend] => [
    name,
    slots.has(backend.slot)
      ? { ...backend, servers: backend.servers.map((server) => ({ ...server, active: true })) }
      : backend,
  ]);
  return { ...desired, backends: new Map(backends) };
}

function endpoint(address: string, port: number): string {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw invalid(`port ${port} is not from 1 to 65535`);
  const family = isIP(address);
  if (family === 0) throw invalid(`address ${JSON.stringify(address)} is not an IP address`);
  return family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}
