/** A route table in the proxy's own words: backends, servers and host entries by name. Pure. */
import { isIP } from 'node:net';
import type { RouteBackend, RouteTable } from '../proxy.ts';
import { normalizeHost } from '../routes.ts';

export interface DesiredServer {
  name: string;
  /** `address:port`; an IPv6 address in brackets. */
  endpoint: string;
  active: boolean;
}

export interface DesiredBackend {
  /** `b<slot>`, or `api`. */
  name: string;
  /** 0 for `api`. */
  slot: number;
  /** `project/environment/app`. */
  app: string;
  protocol: RouteBackend['protocol'];
  /** The proxy checks its servers. Not the daemon: it is there again before a check would notice. */
  checked: boolean;
  servers: DesiredServer[];
}

export interface Desired {
  /** By name. */
  backends: Map<string, DesiredBackend>;
  /** Host to backend name. */
  hosts: Map<string, string>;
}

/** The backend that answers for the daemon. */
export const API_BACKEND = 'api';

/** 5,000 backends take 92 MB of the proxy; a number beyond this is a mistake and not a big instance. */
const MAX_SLOT = 50_000;

export function backendName(slot: number): string {
  return `b${slot}`;
}

/** Whether a backend of the proxy's is one that apps take. */
export function isSlot(backend: string): boolean {
  return /^b\d+$/.test(backend);
}

/**
 * Translates a table.
 * @throws Error naming what is wrong with the table: nothing in it may break the file that the proxy starts from
 */
export function desiredState(table: RouteTable): Desired {
  const backends = new Map<string, DesiredBackend>([[API_BACKEND, apiBackend(table)]]);
  for (const backend of table.backends) {
    const name = backendName(backend.slot);
    if (backends.has(name)) throw invalid(`slot ${backend.slot} is given twice`);
    backends.set(name, appBackend(backend));
  }
  return { backends, hosts: desiredHosts(table, backends) };
}

function apiBackend({ api }: RouteTable): DesiredBackend {
  const where = endpoint(api.address, api.port);
  // Named by its address: a daemon that moved is another server.
  const servers = [{ name: where.replaceAll(/[[\]]/g, ''), endpoint: where, active: true }];
  return { name: API_BACKEND, slot: 0, app: API_BACKEND, protocol: 'http', checked: false, servers };
}

function appBackend({ slot, app, protocol, servers }: RouteBackend): DesiredBackend {
  if (!Number.isInteger(slot) || slot < 1 || slot > MAX_SLOT) throw invalid(`slot ${slot} is not 1 to ${MAX_SLOT}`);
  if (!/^[a-z0-9/-]+$/.test(app)) throw invalid(`app ${JSON.stringify(app)} has other characters than a reference`);
  if (protocol !== 'http' && protocol !== 'h2c') throw invalid(`protocol ${JSON.stringify(protocol)} is not known`);
  if (new Set(servers.map(({ name }) => name)).size < servers.length) throw invalid(`slot ${slot} has a server twice`);
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

function desiredHosts(table: RouteTable, backends: Map<string, DesiredBackend>): Map<string, string> {
  const hosts = new Map([[table.domain, API_BACKEND]]);
  if (normalizeHost(table.domain) !== table.domain) throw invalid(`domain ${JSON.stringify(table.domain)}`);
  for (const { host, slot } of table.hosts) {
    if (normalizeHost(host) !== host) throw invalid(`host ${JSON.stringify(host)} is not a lower-case host name`);
    if (hosts.has(host)) throw invalid(`host ${host} is given twice`);
    if (!backends.has(backendName(slot))) throw invalid(`host ${host} is for slot ${slot}, which has no backend`);
    hosts.set(host, backendName(slot));
  }
  return hosts;
}

/** The state with the draining servers of some backends active: what serves while new servers of theirs do not answer. */
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
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw invalid(`port ${port} is not 1 to 65535`);
  const family = isIP(address);
  if (family === 0) throw invalid(`address ${JSON.stringify(address)} is not an IP address`);
  return family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

function invalid(problem: string): Error {
  return new Error(`route table: ${problem}`);
}
