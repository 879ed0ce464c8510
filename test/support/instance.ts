/**
 * A real, claimed instance for live tests and benchmarks. The daemon runs in a separate process with temporary data and
 * free ports. Disposing the instance removes only the objects with its id.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, type Client, createClient, type Deployment } from '@davit/api';
import { freePort } from '@davit/testkit/ports';
import { until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import daemonPackage from '../../packages/daemon/package.json' with { type: 'json' };
import { daemonEnvironment, davitIdOf } from './instance-environment.ts';
import { removeEverythingOf, removeImagesOf } from './instance-removal.ts';

const MAIN = join(import.meta.dirname, '../../packages/daemon/src/main.mjs');
/** First user of each claimed instance. */
export const ACCOUNT = { username: 'admin', password: 'correct horse battery' };
/**
 * Time limit in milliseconds for a start. The first start on a machine builds images, while other tests build theirs.
 */
const START_MS = 300_000;
const DOMAIN = 'davit.test';

export interface InstanceOptions {
  /** Engine of the instance. Default: `docker`. */
  engine?: 'docker' | 'memory';
  /** Additional flags of the daemon. */
  flags?: string[];
  /** Flags of Node, such as `--cpu-prof`. */
  nodeFlags?: string[];
  /** Environment variables of the daemon. */
  env?: Record<string, string>;
  /** Existing data directory. The directory is removed at the end, like a new one. */
  dataDir?: string;
  /** API key of an instance that was claimed before. */
  key?: string;
  /** Whether to claim the instance. Default: `true`. Without a claim it has no user, as after a first start. */
  claim?: boolean;
  /** Engine and network of the instance. Default: those of this machine. */
  place?: EngineTarget;
}

export interface InstancePorts {
  api: number;
  http: number;
  https: number;
  registry: number;
}

/** An engine, and the network of the engine and the daemon. */
export interface EngineTarget {
  docker: Docker;
  /** Address of the engine in the format of `DOCKER_HOST`. */
  dockerHost: string;
  /** Prefix for a command that must run in that network. */
  enter: string[];
  /** Address under which this process reaches programs in that network. */
  address: string;
}

/** Path parameters of an app's operations. */
export interface AppParams {
  project: string;
  environment: string;
  app: string;
}

/** Instances that are not disposed yet. An interrupted test run must also remove them. */
const running = new Set<Instance>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    const ends = [...running].map((instance) => instance[Symbol.asyncDispose]());
    void Promise.allSettled(ends).finally(() => process.exit(130));
  });
}

/**
 * Starts an instance, and by default claims it.
 * @throws Error with the end of its log if the start fails
 */
export async function startInstance(options: InstanceOptions = {}): Promise<Instance> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'davit-instance-')));
  const ports = { api: await freePort(), http: await freePort(), https: await freePort(), registry: await freePort() };
  const instance = new Instance(dataDir, options, ports);
  running.add(instance);
  try {
    await instance.start();
    if (instance.key === '' && options.claim !== false) await instance.claim();
    return instance;
  } catch (error) {
    await instance[Symbol.asyncDispose]();
    throw error;
  }
}

export class Instance implements AsyncDisposable {
  readonly dataDir: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly registryPort: number;
  readonly url: string;
  readonly setupToken = randomBytes(8).toString('hex');
  readonly docker: Docker;
  key: string;
  /** Time in milliseconds from the last start of the process until it was ready. */
  startedInMs = 0;
  readonly #flags: string[];
  readonly #nodeFlags: string[];
  readonly #env: Record<string, string>;
  readonly #enter: string[];
  readonly #log: string;
  #child: ChildProcess | null = null;
  #disposing: Promise<void> | null = null;

  constructor(dataDir: string, options: InstanceOptions, ports: InstancePorts) {
    this.dataDir = dataDir;
    this.httpPort = ports.http;
    this.httpsPort = ports.https;
    this.registryPort = ports.registry;
    this.key = options.key ?? '';
    this.docker = options.place?.docker ?? new Docker();
    this.#enter = options.place?.enter ?? [];
    const address = options.place?.address ?? '127.0.0.1';
    this.url = `http://${address}:${ports.api}`;
    this.#log = join(dataDir, 'daemon.log');
    this.#nodeFlags = options.nodeFlags ?? [];
    this.#env = options.env ?? {};
    this.#flags = [
      ...['--data-dir', dataDir, '--engine', options.engine ?? 'docker', '--listen', `${address}:${ports.api}`],
      ...['--http-port', String(ports.http), '--https-port', String(ports.https)],
      ...['--registry-port', String(ports.registry)],
      ...['--domain', DOMAIN, '--setup-token', this.setupToken, '--demo', '0'],
      ...(options.place ? ['--docker-host', options.place.dockerHost] : []),
      ...(options.flags ?? []),
    ];
  }

  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error('the instance is stopped');
    return pid;
  }

  /** Typed client with the key of the first user. */
  get client(): Client {
    return createClient({ url: this.url, key: this.key });
  }

  /**
   * Permanent id of the instance, or null if its database has none yet. The id is read from the disk, so the daemon
   * need not run.
   */
  get id(): string | null {
    return davitIdOf(this.dataDir);
  }

  /** Returns the default host of an app. */
  hostOf({ project, environment, app }: AppParams): string {
    return `${app}.${environment}.${project}.${DOMAIN}`;
  }

  /**
   * Starts the process and resolves when it is ready.
   * @param flags flags for this start only
   */
  async start(flags: string[] = []): Promise<void> {
    const from = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const child = this.spawn(flags);
    child.on('message', (message: { kind: string; message?: string }) => {
      if (message.kind === 'ready') resolve();
      if (message.kind === 'failed' || message.kind === 'running') reject(new Error(JSON.stringify(message)));
    });
    child.once('exit', (code, signal) => reject(new Error(`it ended with ${signal ?? `exit code ${code}`}`)));
    const timer = setTimeout(() => reject(new Error(`it was not ready within ${START_MS} ms`)), START_MS);
    try {
      await promise;
    } catch (cause) {
      throw new Error(`start the instance: ${(cause as Error).message}\n${await this.logTail()}`, { cause });
    } finally {
      clearTimeout(timer);
    }
    this.startedInMs = performance.now() - from;
  }

  /** Starts the process and does not wait for it. */
  spawn(flags: string[] = []): ChildProcess {
    const log = openSync(this.#log, 'a', 0o600);
    const [command = '', ...args] = [
      ...this.#enter,
      process.execPath,
      ...daemonPackage.config.nodeFlags,
      ...this.#nodeFlags,
      MAIN,
      ...this.#flags,
      ...flags,
    ];
    const child = spawn(command, args, {
      stdio: ['ignore', log, log, 'ipc'],
      env: { ...daemonEnvironment(), ...daemonPackage.config.environment, ...this.#env },
    });
    closeSync(log);
    this.#child = child;
    return child;
  }

  /** Stops the process with SIGTERM. Apps and the proxy keep running. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** Kills the process like a crash. Apps and the proxy keep running. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Returns the last lines of the daemon's log. */
  async logTail(lines = 30): Promise<string> {
    const text = await readFile(this.#log, 'utf8').catch(() => '');
    return text.trimEnd().split('\n').slice(-lines).join('\n');
  }

  /** Creates an app with the given image and settings. Creates its project unless it exists. */
  async createApp(params: AppParams, settings: { image: string } & Record<string, unknown>): Promise<App> {
    const { project, environment, app: name } = params;
    const projects = await this.client.listProjects();
    if (!projects.some((one) => one.slug === project)) await this.client.createProject({ body: { slug: project } });
    return this.client.createApp({ body: { project, environment, name, source: 'image', ...settings } });
  }

  /** Deploys a tag and waits for the end of the deployment. */
  async deploy(params: AppParams, tag: string): Promise<Deployment> {
    return (await this.client.deployApp({ params, query: { wait: 'true' }, body: { tag } })) as Deployment;
  }

  /** Resolves when an app has only the replicas of its live release. */
  async atRest(params: AppParams): Promise<App> {
    return until(`${params.app} has only its live release`, async () => {
      const app = await this.client.getApp({ params });
      const rest = app.replicas.every(
        ({ deployment, state }) => deployment === app.live_deployment && state === 'ready',
      );
      return rest ? app : null;
    });
  }

  async claim(): Promise<void> {
    const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const setup = JSON.stringify({ token: this.setupToken, ...ACCOUNT });
    const claimed = await fetch(`${this.url}/api/setup`, { method: 'POST', headers: json, body: setup });
    if (claimed.status !== 201) throw new Error(`claim the instance: ${await claimed.text()}`);
    const cookie = claimed.headers.get('set-cookie')?.split(';')[0] ?? '';
    const made = await fetch(`${this.url}/api/users/me/api-keys`, {
      method: 'POST',
      headers: { ...json, cookie },
      body: JSON.stringify({ name: 'test' }),
    });
    this.key = ((await made.json()) as { key: string }).key;
  }

  /**
   * Stops the instance and removes all that it created. A second call, caused by a signal, waits for the same removal.
   */
  [Symbol.asyncDispose](): Promise<void> {
    this.#disposing ??= this.#dispose();
    return this.#disposing;
  }

  async #dispose(): Promise<void> {
    await this.kill();
    const { id } = this;
    if (id !== null && this.#flags.includes('docker')) {
      await removeEverythingOf(this.docker, id);
      await removeImagesOf(this.docker, this.registryPort);
    }
    await rm(this.dataDir, { recursive: true, force: true });
    running.delete(this);
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}
