/** A real proxy with its own Davit id, port and folder, and the removal of all its objects. */

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@davit/testkit/ports';
import Docker from 'dockerode';
import {
  createDockerClient,
  type DockerClient,
} from '../../packages/daemon/src/adapters/engine/docker/client/client.ts';
import { createHaproxy, type HaproxyOptions } from '../../packages/daemon/src/adapters/proxy/haproxy/haproxy.ts';
import type {
  Proxy,
  RouteBackend,
  RouteCertificate,
  RouteRules,
  RouteServer,
  RouteTable,
} from '../../packages/daemon/src/adapters/proxy/proxy.ts';
import { makeCertificate } from '../../packages/daemon/test/support/make-certificate.ts';
import { pause } from './pause.ts';
import { type Answer, type Request, send } from './proxy-load.ts';

export interface Container {
  Id: string;
  Names: string[];
  State: string;
}

/** Addresses of this machine that represent containers of the instance. */
const CONTAINERS = '127.0.1.0/24';

export class ProxyHarness {
  readonly davitId = randomBytes(4).toString('hex');
  readonly docker: DockerClient = createDockerClient(null);
  readonly port: number;
  readonly httpsPort: number;
  readonly dataDir: string;
  readonly log: string[] = [];
  readonly #proxies: Proxy[] = [];

  static async create(): Promise<ProxyHarness> {
    return new ProxyHarness([await freePort(), await freePort()], await mkdtemp(join(tmpdir(), 'davit-proxy-')));
  }

  constructor([port, httpsPort]: [number, number], dataDir: string) {
    this.port = port;
    this.httpsPort = httpsPort;
    this.dataDir = dataDir;
  }

  /** Creates the adapter of a starting daemon. Dispose the previous adapter first. */
  connect(options: Partial<HaproxyOptions> = {}): Proxy {
    const keep = (fields: object, message: string) => this.log.push(`${message} ${JSON.stringify(fields)}`);
    const { davitId, docker, dataDir, port, httpsPort } = this;
    const networkPool = CONTAINERS;
    const ports = { httpPort: port, httpsPort, bindAddress: '127.0.0.1' };
    const base = { davitId, docker, dataDir, networkPool, ...ports, image: null, reserve: 4 };
    const proxy = createHaproxy({ ...base, log: { info: keep, warn: keep }, ...options });
    this.#proxies.push(proxy);
    return proxy;
  }

  get(host: string, request: Partial<Request> = {}): Promise<Answer> {
    return send({ port: this.port, host, ...request });
  }

  getSecurely(host: string, request: Partial<Request> = {}): Promise<Answer> {
    return send({ port: this.httpsPort, host, secure: true, ...request });
  }

  /** Returns the proxy containers, newest first. */
  async containers(): Promise<Container[]> {
    const query = { all: true, filters: { label: [`davit.instance=${this.davitId}`] } };
    return this.docker.call<Container[]>({ doing: 'list containers', path: '/containers/json', query });
  }

  /** Returns the process id of the proxy according to the engine. */
  async pid(): Promise<number> {
    const [container] = await this.containers();
    const path = `/containers/${container?.Id}/json`;
    return (await this.docker.call<{ State: { Pid: number } }>({ doing: 'inspect', path })).State.Pid;
  }

  async pause(container: string): Promise<void> {
    await pause(new Docker().getContainer(container));
  }

  async kill(container: string): Promise<void> {
    await this.docker.call({ doing: 'kill', method: 'POST', path: `/containers/${container}/kill` });
  }

  async remove(container: string): Promise<void> {
    const query = { force: true };
    await this.docker.call({ doing: 'remove', method: 'DELETE', path: `/containers/${container}`, query });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const proxy of this.#proxies) await proxy[Symbol.asyncDispose]();
    for (const { Id } of await this.containers()) await this.remove(Id);
    await this.docker[Symbol.asyncDispose]();
    await rm(this.dataDir, { recursive: true });
  }
}

/** Returns the same client, but calls `act` before its call number `at`. */
export function interrupted(docker: DockerClient, at: number, act: () => Promise<void>): DockerClient {
  let calls = 0;
  return {
    ...docker,
    async call<T>(call: Parameters<DockerClient['call']>[0]): Promise<T> {
      calls += 1;
      if (calls === at) await act();
      return docker.call<T>(call);
    },
  };
}

type ServerInput = { name: string; port: number };

export function server({ name, port }: ServerInput, state: RouteServer['state'] = 'active'): RouteServer {
  return { name, address: '127.0.0.1', port, state };
}

export function backend(
  slot: number,
  servers: RouteServer[],
  protocol: RouteBackend['protocol'] = 'http',
): RouteBackend {
  return { slot, app: `test/production/app-${slot}`, protocol, servers };
}

/**
 * Returns a route table in which the app of slot n has the host `app-n.localhost`. No program listens at the address of
 * the daemon.
 */
export function tableOf(...backends: RouteBackend[]): RouteTable {
  return {
    domain: 'localhost',
    api: { address: '127.0.0.1', port: 1 },
    backends,
    hosts: backends.map(({ slot }) => ({ host: `app-${slot}.localhost`, slot })),
  };
}

/** Returns rules in which only the given rules are set. */
export function rules(some: Partial<RouteRules>): RouteRules {
  const none = { httpsOnly: false, hsts: null, redirectTo: null, basicAuth: null, allow: [], requestsPerMinute: null };
  return { ...none, maintenance: null, headers: {}, ...some };
}

/** Returns a certificate for the route table. Its common name begins with the first host. */
export async function certificate(name: string, hosts: string[]): Promise<RouteCertificate> {
  const made = await makeCertificate(hosts);
  return { name, hosts, pem: () => `${made.certificate}${made.key}` };
}
