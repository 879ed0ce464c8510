import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createAccountClient, createClient, type Fetch } from '@davit/api';
import type { Engine } from '@davit/daemon/adapters/engine/engine.ts';
import { createMemoryEngine, type MemoryEngine } from '@davit/daemon/adapters/engine/memory/memory.ts';
import { createMemoryPlatform, type MemoryPlatform } from '@davit/daemon/adapters/engine/memory/platform-images.ts';
import type { Lego } from '@davit/daemon/adapters/lego/lego.ts';
import type { AccessLog } from '@davit/daemon/adapters/proxy/access-log.ts';
import {
  createMemoryAccessLog,
  type MemoryAccessLogControls,
} from '@davit/daemon/adapters/proxy/memory/memory-access-log.ts';
import { createMemoryProxy, type MemoryProxyControls } from '@davit/daemon/adapters/proxy/memory/memory-proxy.ts';
import type { Proxy } from '@davit/daemon/adapters/proxy/proxy.ts';
import {
  createMemoryRegistry,
  type MemoryRegistryControls,
} from '@davit/daemon/adapters/registry/memory/memory-registry.ts';
import type { ImageRegistry } from '@davit/daemon/adapters/registry/registry.ts';
import { fetchingImages } from '@davit/daemon/adapters/registry/remote/fetching.ts';
import { registryRules } from '@davit/daemon/composition/adapters.ts';
import type { Core } from '@davit/daemon/composition/core.ts';
import { createDaemon, type Daemon } from '@davit/daemon/composition/daemon.ts';
import type { DaemonOptions } from '@davit/daemon/composition/options.ts';
import { openState } from '@davit/daemon/composition/state.ts';
import { makeConfig } from '@davit/daemon/config/config.ts';
import { platformImageRecords } from '@davit/daemon/resources/platform-images/records.ts';
import { createLogger } from '@davit/service';
import { type Answer, checkAnswer } from './contract.ts';
import { emptyDatabase } from './empty-database.ts';
import { type Sending, send } from './http.ts';

export interface BootOptions extends DaemonOptions {
  /** Whether the first account is created. If `false`, the instance has no account, as after its first start. */
  claim?: boolean;
  /**
   * Map from the name of a daemon setting to its value, such as `{ setupToken: 'let-me-in' }`. An empty value means
   * that the setting is not set.
   */
  settings?: Record<string, string>;
  /** Whether every image exists in the simulated Docker Engine. Default: `true`. */
  anyImage?: boolean;
  /**
   * Whether the daemon contacts real registries. If `true`, the simulated Docker Engine contains the images of the real
   * registries.
   */
  realRegistries?: boolean;
  /**
   * Wraps the simulated Docker Engine in another object. Tests use the wrapper to change the behavior of the Docker
   * Engine.
   */
  wrapEngine?: (engine: Engine) => Engine;
  /**
   * ACME client that uses DNS records to prove that the instance owns a domain. By default, there is no ACME client.
   */
  lego?: Lego;
}

const GIB = 1024 ** 3;
/** Simulated disk of a fixed size. With this disk, the free space of the real disk does not affect tests. */
const roomy = async (path: string) => ({ path, totalBytes: 100 * GIB, freeBytes: 99 * GIB });

export const ADMIN = { username: 'admin', password: 'correct horse battery' } as const;

/**
 * Starts a daemon with temporary data and a free port. Docker Engine and HAProxy are simulated. The first account is
 * `ADMIN`.
 */
export async function bootDaemon(options: BootOptions = {}): Promise<TestDaemon> {
  const dataDir = await mkdtemp(join(tmpdir(), 'davit-'));
  const booted = new TestDaemon(dataDir, options);
  try {
    await booted.start();
    if (options.claim !== false) await booted.claim();
    return booted;
  } catch (error) {
    await booted[Symbol.asyncDispose]();
    throw error;
  }
}

/** Daemon under test. When the object is disposed, the daemon stops and its data is removed. */
export class TestDaemon implements AsyncDisposable {
  readonly dataDir: string;
  readonly engine: MemoryEngine;
  readonly proxy: Proxy & MemoryProxyControls;
  readonly accessLog: AccessLog & MemoryAccessLogControls = createMemoryAccessLog();
  readonly registry: ImageRegistry & MemoryRegistryControls;
  /**
   * Simulated packages of the Linux distribution. Also contains the Docker images that the daemon builds from these
   * packages, such as HAProxy.
   */
  readonly platform: MemoryPlatform;
  readonly log: { lines: string[] } = { lines: [] };
  /** API key of the user `admin`. The key is empty until the first account is created. */
  key = '';
  readonly #options: BootOptions;
  #daemon: Daemon | null = null;
  #davitId: string;

  constructor(dataDir: string, options: BootOptions) {
    this.dataDir = dataDir;
    this.#options = options;
    writeFileSync(join(dataDir, 'davit.db'), emptyDatabase(), { mode: 0o600 });
    const state = openState(this.#config());
    this.#davitId = state.id;
    state[Symbol.dispose]();
    const { anyImage = true, now } = options;
    this.engine = createMemoryEngine({ davitId: this.#davitId, anyImage, ...(now && { now: () => new Date(now()) }) });
    this.proxy = createMemoryProxy();
    this.registry = createMemoryRegistry();
    this.platform = createMemoryPlatform(this.engine, () => platformImageRecords(this.core.store), now);
  }

  get daemon(): Daemon {
    if (this.#daemon === null) throw new Error('the daemon is stopped');
    return this.#daemon;
  }

  get core(): Core {
    return this.daemon.core;
  }

  get url(): string {
    return this.daemon.url;
  }

  get setupToken(): string {
    return this.daemon.setupToken ?? '';
  }

  /** Returns an API client for the user `admin`. The responses are checked against the API contract. */
  get client(): Client {
    return this.clientFor(this.key);
  }

  clientFor(key: string): Client {
    return createClient({ url: this.url, key, fetch: this.fetch });
  }

  /**
   * `fetch` function for API clients. Sends requests to this daemon and checks the responses against the API contract.
   */
  readonly fetch: Fetch = async (url, { method, headers, body, signal }) => {
    const path = url.slice(new URL(url).origin.length);
    const answer = await this.send({
      method,
      path,
      headers,
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    return new Response(answer.status === 204 ? null : answer.text, { status: answer.status, headers: answer.headers });
  };

  /**
   * Sends an HTTP request without credentials. The path is not changed, so that a test can also send an invalid path.
   * The response is checked against the API contract.
   */
  async send(sending: Sending): Promise<Answer> {
    const answer = await send({ url: this.url }, sending);
    checkAnswer(answer);
    return answer;
  }

  /**
   * Sends an HTTP request with an API key, and optionally with a JSON body. By default, the API key of the user `admin`
   * is used.
   */
  call(method: string, path: string, body?: unknown, key: string = this.key): Promise<Answer> {
    return this.ask(method, path, { authorization: `Bearer ${key}` }, body);
  }

  /**
   * Sends an HTTP request as the user `admin`, optionally with a JSON body. `headers` are added to the request. The
   * header `authorization` would replace the API key.
   */
  ask(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
    const sending = { method, path, headers: { authorization: `Bearer ${this.key}`, ...headers } };
    if (body === undefined) return this.send(sending);
    const json = { ...sending.headers, 'content-type': 'application/json' };
    return this.send({ ...sending, headers: json, body: JSON.stringify(body) });
  }

  async start(): Promise<void> {
    const { log, lego = null, realRegistries, wrapEngine = (one) => one, ...options } = this.#options;
    const config = this.#config();
    const lines = this.log.lines;
    const logger =
      log ?? createLogger({ level: 'debug', destination: { write: (line: string) => void lines.push(line) } });
    const { proxy, accessLog, registry, platform } = this;
    const state = openState(config, options.now && { now: options.now });
    const ownHost = () => `localhost:${config.registryPort.port}`;
    const engine =
      realRegistries === true
        ? fetchingImages(this.engine, {
            davitId: this.#davitId,
            own: {
              host: ownHost,
              readImages: async () => ({ images: [], isComplete: true }),
              openBlob: () => Promise.reject(new Error('there is none')),
            },
            ...registryRules(state.store, config.networkPool),
            // Skip the check of image contents. The simulated Docker Engine uses other ids than registries.
            possession: { isKnownBlob: () => true, isKnownImage: () => true, remember: () => undefined },
          })
        : this.engine;
    const adapters = { engine: wrapEngine(engine), proxy, accessLog, registry, lego, platform };
    const given = { diskUse: roomy, ...options, log: logger };
    this.#daemon = await createDaemon(config, state, adapters, given);
    await this.#daemon.ready;
  }

  async stop(): Promise<void> {
    const daemon = this.#daemon;
    this.#daemon = null;
    await daemon?.[Symbol.asyncDispose]();
  }

  /**
   * Restarts the daemon with the same data, Docker Engine and HAProxy. Data that was only in the memory of the daemon
   * is lost.
   */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Resolves when the daemon has finished all work in progress. */
  settled(): Promise<void> {
    return this.daemon.settled();
  }

  async claim(): Promise<void> {
    let cookie = '';
    const clientOptions = { url: this.url, fetch: this.fetch };
    const onHeaders = (headers: Headers) => {
      cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    };
    await createAccountClient({ ...clientOptions, onHeaders }).claim({ token: this.setupToken, ...ADMIN });
    this.key = (await createAccountClient({ ...clientOptions, cookie }).createKey({ name: 'test' })).key;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  #config() {
    const settings = {
      listen: '127.0.0.1:0',
      domain: 'davit.test',
      engine: 'memory',
      setupToken: randomBytes(8).toString('hex'),
      ...this.#options.settings,
      dataDir: this.dataDir,
    };
    const set = Object.entries(settings).filter(([, value]) => value !== '');
    return makeConfig(Object.fromEntries(set), { isRoot: false, xdgDataHome: undefined });
  }
}
