/**
 * A daemon with the simulated engine, and a real certificate authority. A server on the authority's challenge port
 * answers challenges with the data that the daemon last sent to its proxy.
 */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Domain } from '@davit/api';
import { type BootOptions, bootDaemon, deployedApp, paramsOf, type TestDaemon } from '@davit/testkit';
import { freePort } from '@davit/testkit/ports';
import { type Pebble, type PebbleOptions, startPebble } from './pebble.ts';

const CHALLENGE = '/.well-known/acme-challenge/';

const DEADLINE_MS = 60_000;

export class CertificateHarness implements AsyncDisposable {
  readonly daemon: TestDaemon;
  readonly pebble: Pebble;
  /** Milliseconds by which the clock of the daemon is ahead. */
  readonly clock: { ahead: number };
  readonly #front: Server;

  private constructor(daemon: TestDaemon, pebble: Pebble, front: Server, clock: { ahead: number }) {
    this.daemon = daemon;
    this.pebble = pebble;
    this.#front = front;
    this.clock = clock;
  }

  /**
   * Starts the environment.
   * @param options options of the daemon, and in `pebble` options of the authority
   */
  static async start(options: BootOptions & { pebble?: Partial<PebbleOptions> } = {}): Promise<CertificateHarness> {
    const { pebble: own, ...boot } = options;
    const httpPort = await freePort();
    const pebble = await startPebble({ httpPort, ...own });
    const clock = { ahead: 0 };
    const settings = { httpPort: String(httpPort), ...boot.settings };
    const daemon = await bootDaemon({ now: () => Date.now() + clock.ahead, ...boot, settings });
    const front = createServer(({ url = '' }, response) => {
      const challenges = daemon.proxy.table()?.challenges ?? [];
      const found = challenges.find(({ token }) => url === CHALLENGE + token);
      response.writeHead(found ? 200 : 404, { 'content-length': found?.answer.length ?? 0 }).end(found?.answer);
    });
    front.listen(httpPort, '127.0.0.1');
    await once(front, 'listening');
    return new CertificateHarness(daemon, pebble, front, clock);
  }

  /** Configures the daemon to order certificates at the test authority. */
  async orderHere(more: object = {}): Promise<void> {
    const { acme } = this.pebble.settings;
    await this.daemon.client.patchSettings({ body: { acme: { ...acme, ...more } } });
  }

  /**
   * Creates a running app with a domain.
   * @returns path of the domain
   */
  async appWithDomain(host: string, settings: object = {}): Promise<string> {
    const { app: made } = await deployedApp(this.daemon, settings as Record<string, unknown>);
    return this.addDomain(paramsOf(made), host);
  }

  async addDomain(params: { project: string; environment: string; app: string }, host: string): Promise<string> {
    const { id } = await this.daemon.client.addDomain({ params, body: { host } });
    return `/api/apps/${params.project}/${params.environment}/${params.app}/domains/${id}`;
  }

  async domain(path: string): Promise<Domain> {
    return JSON.parse((await this.daemon.call('GET', path)).text) as Domain;
  }

  /** Starts a pass of the certificate reconciler, which otherwise runs every minute. */
  nudge(): void {
    this.daemon.core.nudgeCertificates();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.daemon[Symbol.asyncDispose]();
    await this.pebble[Symbol.asyncDispose]();
    this.#front.close();
    this.#front.closeAllConnections();
  }
}

/** Polls until `look` returns a truthy value. */
export async function eventually<T>(what: string, look: () => Promise<T | null | undefined | false>): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`it did not come true in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
