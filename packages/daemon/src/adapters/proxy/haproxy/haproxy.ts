/**
 * Runs HAProxy in a Docker container. Each update writes the desired state to disk and changes the running HAProxy, if
 * possible without a reload.
 */
import { join } from 'node:path';
import { LONGEST_SOCKET_PATH } from '@davit/service';
import type { DockerClient } from '../../engine/docker/client/client.ts';
import type { Log } from '../../engine/docker/context.ts';
import type { DockerPlatformImages } from '../../engine/docker/images/platform-images.ts';
import { PlatformImageRefused } from '../../engine/platform-images.ts';
import type { AccessListener } from '../access-log.ts';
import { LatestWins, SUPERSEDED } from '../latest-wins.ts';
import { type Proxy, type ProxyStatus, ProxyUnavailable, type RouteTable, type SyncReport } from '../proxy.ts';
import { type AccessLogTarget, accessLogLines } from './access-log.ts';
import { readStands } from './access-stands.ts';
import { bindsOf, ownUser } from './binds.ts';
import { CertificateFiles } from './certificate-files.ts';
import { type ConfigSettings, type RenderedConfig, renderConfig } from './config.ts';
import { CannotListen, type Generation, ProxyContainers } from './containers.ts';
import { type Desired, desiredState, keepServing } from './desired.ts';
import { ConfigFiles } from './files.ts';
import { ACCESS_NAMES } from './frontend.ts';
import { PROXY_IMAGE } from './image.ts';
import { installCertificates, retireCertificates } from './install.ts';
import { backendName, FILE } from './names.ts';
import { blameCertificate, needsReload, type PassResult, type PassTarget, serversOnly, unavailable } from './pass.ts';
import { RegistryPort } from './registry-port.ts';
import { parseInfo, RuntimeUnreachable, sendCommands } from './runtime.ts';
import { readState, Settling } from './settle.ts';
import { countOpenConnections, ReloadFailed, reloadWorker } from './workers.ts';

export interface HaproxyOptions {
  davitId: string;
  docker: DockerClient;
  dataDir: string;
  /** CIDR block of the Davit instance's Docker networks, for example `10.208.0.0/12`. */
  networkPool: string;
  httpPort: number;
  httpsPort: number;
  /** IP address on which HAProxy listens, or `null` for all addresses. Default: `null`. */
  bindAddress?: string | null;
  /**
   * Port of 127.0.0.1 on which HAProxy accepts registry clients on this server. By default, HAProxy accepts registry
   * clients only under the public host name.
   */
  registryPort?: number;
  /** Docker image of HAProxy. `null` means the image that Davit builds from the Debian package. */
  image: string | null;
  /**
   * Image builder that also installs newer HAProxy images. By default, all Davit instances on the server share an image
   * builder.
   */
  images?: DockerPlatformImages;
  /** Minimum number of spare HAProxy backends for new apps. Default: 256. */
  reserve?: number;
  /** Owner of HAProxy's Unix sockets. By default, the owner is the daemon's user, which can be root. */
  socketOwner?: { uid: number; gid: number };
  /** Port and token of the HAProxy access log. By default, there is no access log. */
  accessLog?: AccessLogTarget & Pick<AccessListener, 'settle'>;
  log: Log;
}

interface Input {
  table: RouteTable;
  /** Maximum time in milliseconds to wait until HAProxy reports a new server as up. */
  patienceMs: number;
}

const SYNC_PATIENCE_MS = 5_000;
/**
 * Maximum time in milliseconds that the starting daemon waits until HAProxy reports containers as up. The time is
 * short, because the apps may not be running yet.
 */
const ENSURE_PATIENCE_MS = 500;
/**
 * Minimum time in milliseconds between two reloads. A reload resets connections of other apps, and an old process stays
 * for long-lived connections. Many changes should therefore share one reload.
 */
const RELOAD_INTERVAL_MS = 2_000;
/**
 * Maximum number of attempts to bring HAProxy to a desired state. If HAProxy exits during an attempt, Davit tries
 * again.
 */
const ATTEMPTS = 3;
const RETRY_MS = { first: 500, most: 10_000 };

/**
 * Creates the proxy.
 * @throws Error if the path of the data directory is too long for a Unix socket
 */
export function createHaproxy(options: HaproxyOptions): Proxy {
  return new Haproxy(options);
}

class Haproxy implements Proxy {
  readonly #log: Log;
  readonly #settings: Omit<ConfigSettings, 'containerNetworks' | 'registryPort'>;
  readonly #accessLog: HaproxyOptions['accessLog'];
  readonly #files: ConfigFiles;
  readonly #registryPort: RegistryPort | null;
  readonly #certificates: CertificateFiles;
  readonly #containers: ProxyContainers;
  readonly #worker = new LatestWins<Input, SyncReport>((input, superseded) => this.#pass(input, superseded));
  readonly #settling: Settling;
  /**
   * CIDR networks of this Davit instance's containers, or `null` before the first use. The networks include the whole
   * address pool, so new Docker networks do not change this value.
   */
  #networks: string[] | null = null;
  #current: Generation | null = null;
  #ensured = false;
  #newest: Input | null = null;
  #problem: string | null = null;
  #reloads = 0;
  #lastReload = Number.NEGATIVE_INFINITY;
  #retry: NodeJS.Timeout | null = null;
  #retryMs = RETRY_MS.first;
  #disposed = false;
  #unpausing: Promise<void> = Promise.resolve();

  constructor(options: HaproxyOptions) {
    const { dataDir, log, httpPort, httpsPort, reserve = 256 } = options;
    const folder = join(dataDir, 'proxy');
    const longest = join(folder, '99999-master.sock');
    if (Buffer.byteLength(longest) > LONGEST_SOCKET_PATH) {
      throw new Error(
        `The path of the data directory ${dataDir} is too long for a Unix socket. Use a path of at most 80 characters.`,
      );
    }
    const socketOwner = options.socketOwner ?? ownUser();
    this.#log = log;
    this.#accessLog = options.accessLog;
    const accessLog = options.accessLog ? accessLogLines(ACCESS_NAMES, options.accessLog) : null;
    const entrance = (port: number) => ({ binds: bindsOf(port, options.bindAddress ?? null), port });
    this.#settings = { http: entrance(httpPort), https: entrance(httpsPort), accessLog, reserve, socketOwner };
    this.#files = new ConfigFiles(folder);
    this.#registryPort =
      options.registryPort === undefined
        ? null
        : new RegistryPort({ port: options.registryPort, readConfig: () => this.#files.read(FILE.config) });
    this.#certificates = new CertificateFiles(folder);
    this.#settling = new Settling(log);
    this.#containers = new ProxyContainers({ ...options, folder, socketOwner });
    if (options.image !== null) return;
    options.images?.register({
      recipe: PROXY_IMAGE,
      verify: (imageId, signal) => this.#verifyImage(imageId, signal),
      rollOut: () => this.#replace(),
    });
  }

  async ensure(table: RouteTable): Promise<ProxyStatus> {
    this.#ensured = false;
    await this.#run({ table, patienceMs: ENSURE_PATIENCE_MS });
    return this.status();
  }

  sync(table: RouteTable): Promise<SyncReport> {
    return this.#run({ table, patienceMs: SYNC_PATIENCE_MS });
  }

  distrust(): void {
    this.#ensured = false;
    // Resumes a paused HAProxy container immediately, because other code may be waiting for a response of HAProxy.
    this.#unpausing = this.#containers.unpause().catch((error: unknown) => {
      /*
       * The error is only logged, because the next update of HAProxy resumes the container again and can report the
       * error.
       */
      this.#log.warn({ error }, 'the container of the proxy could not be unpaused');
    });
  }

  async openSessions(slot: number, server: string): Promise<number> {
    const current = this.#current;
    if (current === null)
      throw new ProxyUnavailable('The proxy is not running. Wait until the instance has started it.');
    try {
      return await countOpenConnections(current, this.#containers.retiring, backendName(slot), server);
    } catch (error) {
      throw unavailable(error);
    }
  }

  async status(): Promise<ProxyStatus> {
    const status = { kind: 'haproxy', reloads: this.#reloads } as const;
    try {
      const [info = ''] = await sendCommands(this.#current?.socket ?? '', ['show info']);
      const problem = this.#problem ?? this.#registryPort?.problem ?? null;
      return { ...status, running: true, version: parseInfo(info).version, problem };
    } catch (error) {
      const problem = this.#problem ?? `The proxy does not respond: ${(error as Error).message}.`;
      return { ...status, running: false, version: null, problem };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#containers.close();
    await this.#unpausing;
    await this.#worker.idle();
  }

  async #verifyImage(imageId: string, signal: AbortSignal): Promise<void> {
    // Before the first update of HAProxy, there is no HAProxy configuration to check.
    if (this.#newest === null) return;
    const words = await this.#containers.checkWith(imageId, signal);
    if (words !== null)
      throw new PlatformImageRefused(`the new version of HAProxy rejects the configuration: ${words.trim()}`);
  }

  /** Replaces the HAProxy container. The new container uses the new image and takes over the listening sockets. */
  async #replace(): Promise<void> {
    const input = this.#newest;
    if (input === null) return;
    this.#ensured = false;
    await this.#run(input);
    if (this.#problem !== null) throw new PlatformImageRefused(this.#problem);
  }

  #run(input: Input): Promise<SyncReport> {
    this.#newest = input;
    return this.#worker.run(input);
  }

  async #pass({ table, patienceMs }: Input, superseded: () => boolean): Promise<SyncReport | typeof SUPERSEDED> {
    try {
      const wanted = desiredState(table);
      const { forwardedFor, proxyProtocol } = wanted.trusted;
      if (forwardedFor.length + proxyProtocol.length > 0) this.#networks ??= await this.#containers.networks();
      let registryPort = (await this.#registryPort?.usable()) ?? null;
      /*
       * If HAProxy rejects a certificate or the registry's port, the update is repeated without the rejected
       * certificate or port.
       */
      for (;;) {
        const { served, problems } = await this.#certificates.store(wanted.certificates);
        const desired = { ...wanted, certificates: served };
        const rendered = this.#render(desired, registryPort);
        await this.#files.write(rendered);
        const aim = { desired, registryPort, hash: rendered.mark.hash, patienceMs, superseded };
        const outcome = await this.#persistently(() => this.#apply(aim)).catch((error: unknown) => {
          if (!(error instanceof CannotListen) || !this.#registryPort?.refuse(error.address))
            return blameCertificate(error, aim);
          registryPort = null;
          this.#ensured = false;
          return { refused: [] };
        });
        if (outcome === SUPERSEDED) return SUPERSEDED;
        if ('refused' in outcome) {
          for (const { name, reason } of outcome.refused) await this.#certificates.refuse(name, reason);
          continue;
        }
        await this.#certificates.keepOnly(served.map(({ name }) => name));
        this.#retryMs = RETRY_MS.first;
        const registryProblem = this.#registryPort?.problem ?? null;
        return { ...outcome, certificateProblems: problems, ...(registryProblem !== null && { registryProblem }) };
      }
    } catch (error) {
      const failure = unavailable(error);
      this.#ensured = false;
      this.#problem = failure.message;
      this.#retryLater();
      throw failure;
    }
  }

  /**
   * Runs a function that sends commands to HAProxy. If HAProxy does not respond, the function runs again, because
   * Docker restarts a killed HAProxy.
   */
  async #persistently<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof RuntimeUnreachable) || attempt === ATTEMPTS) throw error;
        this.#ensured = false;
      }
    }
  }

  /**
   * Applies the desired state to HAProxy. The method compares the desired state with the running HAProxy instead of
   * earlier commands, because HAProxy or the daemon may have restarted.
   */
  async #apply(target: PassTarget): Promise<PassResult | typeof SUPERSEDED> {
    const { desired, registryPort, hash, patienceMs, superseded } = target;
    const current = this.#current !== null && this.#ensured ? this.#current : await this.#ensureContainer();
    const { socket } = current;
    for (let reloaded = false; ; reloaded = true) {
      const state = await readState(socket);
      if (state.mark?.hash === hash) this.#registryPort?.confirm();
      /*
       * If HAProxy needs a reload, only the servers are updated before the reload. The reload applies all other
       * changes.
       */
      const [aim, now] = state.mark?.hash === hash ? [desired, state] : [serversOnly(desired), serversOnly(state)];
      const read = (name: string) => this.#certificates.read(name);
      const installed = await installCertificates(socket, aim.certificates, now.certificates, read);
      if (installed.refused.length > 0) return installed;
      const problems = await this.#settling.settle({ socket, desired: aim, state: now, patienceMs, superseded });
      if (problems === SUPERSEDED) return SUPERSEDED;
      const slots = new Set(problems.map(({ slot }) => slot));
      /*
       * Adds old servers that still receive requests to the configuration file. If HAProxy restarts, it then still has
       * these servers.
       */
      if (slots.size > 0) await this.#files.write(this.#render(keepServing(desired, slots), registryPort));
      if (!installed.needsReload && !needsReload(state, hash, desired)) {
        await retireCertificates(socket, aim.certificates, now.certificates, this.#log);
        return { reloaded, problems };
      }
      if (reloaded)
        throw new Error(
          'The proxy was reloaded but still has its old configuration. Find the reason in the log of the proxy.',
        );
      if (!(await this.#mayReload(superseded))) return SUPERSEDED;
      if (registryPort !== null) await this.#registryPort?.checkReload(socket);
      await this.#reload(current);
    }
  }

  #render(desired: Desired, registryPort: number | null): RenderedConfig {
    return renderConfig(desired, { ...this.#settings, registryPort, containerNetworks: this.#networks ?? [] });
  }

  async #ensureContainer(): Promise<Generation> {
    /*
     * Sets `#ensured` before the container is checked. A Docker event during the check can then set `#ensured` to
     * `false` again.
     */
    this.#ensured = true;
    const { current, replaced, problem } = await this.#containers.ensure();
    if (problem !== null) this.#log.warn({ problem }, 'the container of the proxy could not be replaced');
    if (replaced) this.#reloads += 1;
    this.#settling.forget();
    this.#problem = problem;
    this.#current = current;
    return current;
  }

  /**
   * Waits until the minimum interval since the last reload has passed, so that changes of many apps share one reload.
   * @returns `false` if newer routes have arrived, because the update with the newer routes reloads HAProxy
   */
  async #mayReload(superseded: () => boolean): Promise<boolean> {
    while (performance.now() < this.#lastReload + RELOAD_INTERVAL_MS) {
      if (superseded()) return false;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return !superseded();
  }

  async #reload(current: Generation): Promise<void> {
    this.#lastReload = performance.now();
    const words = await this.#containers.check(current);
    if (words !== null) {
      await this.#files.revert();
      throw new Error(`The proxy rejects its new configuration and keeps the old one: ${words.trim()}`);
    }
    const began = Date.now();
    await this.#settled(current, () => reloadWorker(current, () => this.#ensured)).catch(async (error: unknown) => {
      if (!(error instanceof ReloadFailed)) throw error;
      throw (await this.#containers.bindErrorOf(current, began)) ?? error;
    });
    this.#reloads += 1;
    this.#log.info({ reloads: this.#reloads }, 'the proxy has reloaded its configuration');
  }

  /**
   * Reloads HAProxy and reports the final request counters of the old workers. The counters are also read before the
   * reload, because an idle worker exits immediately.
   */
  async #settled(current: Generation, reload: () => Promise<void>): Promise<void> {
    if (this.#accessLog === undefined) return reload();
    const before = await readStands(current);
    await reload();
    const after = await readStands(current);
    const newest = Math.max(...after.map(({ process }) => process));
    this.#accessLog.settle([...before, ...after.filter(({ process }) => process < newest)]);
  }

  #retryLater(): void {
    if (this.#disposed || this.#retry !== null) return;
    this.#retry = setTimeout(() => {
      this.#retry = null;
      const input = this.#newest;
      if (input === null || this.#disposed) return;
      /*
       * The error is only logged, because the failed update has already changed the status and scheduled the next
       * attempt.
       */
      this.#worker.run(input).catch((error: unknown) => this.#log.warn({ error }, 'the proxy cannot be reached'));
    }, this.#retryMs).unref();
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.most);
  }
}
