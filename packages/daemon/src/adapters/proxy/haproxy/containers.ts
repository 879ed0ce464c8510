/**
 * Manages the HAProxy containers. If the image or the settings change, a new container (generation) takes over the
 * listening sockets. Therefore, no connection is refused.
 */
import { chmod, rm } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from '@davit/service/durable-files';
import type { DockerClient } from '../../engine/docker/client/client.ts';
import { runToEnd } from '../../engine/docker/containers/run-once.ts';
import type { Log } from '../../engine/docker/context.ts';
import type { PlatformImageSource } from '../../engine/docker/images/platform-images.ts';
import { EngineRefused } from '../../engine/errors.ts';
import { namePrefix, proxyName } from '../../engine/names.ts';
import { cidrRange } from '../../engine/subnets.ts';
import { startProblemOf } from './answers.ts';
import { ContainerApi, type ListedContainer } from './container-api.ts';
import { checkRequest, createRequest, recipeOf } from './create-request.ts';
import { ensureProxyImage } from './image.ts';
import { CONFIG_FILE } from './names.ts';
import { RuntimeUnreachable, sendCommands } from './runtime.ts';

/** One HAProxy container with the paths of its Unix sockets. */
export interface Generation {
  number: number;
  containerId: string;
  /** Path of the HAProxy worker's runtime socket on the host. */
  socket: string;
  /**
   * Path of the HAProxy master's socket on the host. The daemon uses this socket to send commands to replaced workers.
   */
  master: string;
}

interface Found extends Generation {
  state: string;
  recipe: string;
}

export interface ContainersOptions {
  davitId: string;
  docker: DockerClient;
  folder: string;
  image: string | null;
  /**
   * Image builder that provides the HAProxy image if `image` is `null`. By default, all Davit instances on the server
   * share an image builder.
   */
  images?: PlatformImageSource;
  httpsPort: number;
  networkPool: string;
  socketOwner: { uid: number; gid: number } | null;
  log: Log;
}

export interface Ensured {
  current: Generation;
  /** `true` if a new container has replaced a running HAProxy container. */
  replaced: boolean;
  /**
   * Error message if the HAProxy container could not be replaced and an outdated container still runs. Otherwise
   * `null`.
   */
  problem: string | null;
}

/** Error if HAProxy could not start or reload, because it could not listen on an address. */
export class CannotListen extends Error {
  override name = 'CannotListen';
  /** IP address and port, for example `127.0.0.1:80`. */
  readonly address: string;

  constructor(message: string, address: string) {
    super(message);
    this.address = address;
  }
}

const READY_TIMEOUT_MS = 10_000;
/**
 * Timeout in milliseconds for one request to HAProxy. The timeout is short, because the daemon checks between requests
 * whether the container is paused.
 */
const VERSION_TIMEOUT_MS = 500;
/**
 * Maximum time in milliseconds to wait for a response from a running HAProxy container. After this time, the daemon
 * creates a new container.
 */
const ANSWER_TIMEOUT_MS = 3_000;
/**
 * Maximum time in milliseconds to wait until Docker restarts a crashed HAProxy container. Docker increases its pause
 * with each restart. After this time, Davit therefore creates a new container.
 */
const RESTART_TIMEOUT_MS = 1_000;

/**
 * Docker states of HAProxy containers that can respond now or soon. The list includes `paused`, because Davit resumes
 * paused containers.
 */
const COMING: ReadonlySet<string> = new Set(['running', 'restarting', 'paused']);

export class ProxyContainers {
  readonly #options: ContainersOptions;
  readonly #api: ContainerApi;
  readonly #closing = new AbortController();
  readonly #retiring = new Map<string, Generation>();

  constructor(options: ContainersOptions) {
    this.#options = options;
    this.#api = new ContainerApi(options.docker, options.davitId);
  }

  /**
   * Returns the CIDR networks of the Davit instance's containers. The result contains the address pool of the instance,
   * and Docker networks outside the pool.
   */
  async networks(): Promise<string[]> {
    const { networkPool } = this.#options;
    const pool = cidrRange(networkPool);
    const isOutside = (subnet: string) =>
      isIPv6(subnet.split('/')[0] ?? '') || cidrRange(subnet).first < pool.first || cidrRange(subnet).last > pool.last;
    return [networkPool, ...(await this.#api.subnets()).filter(isOutside).sort()];
  }

  /** Replaced HAProxy containers, which accept no new requests and exit after their open requests. */
  get retiring(): Generation[] {
    return [...this.#retiring.values()];
  }

  /** Stops watching old HAProxy containers that finish their open requests. The containers keep running. */
  close(): void {
    this.#closing.abort();
  }

  /**
   * Resumes paused HAProxy containers. The call does not wait for a running update of the proxy, because the update may
   * be waiting for a paused container.
   */
  async unpause(): Promise<void> {
    await this.#unpaused(await this.#api.list());
  }

  /**
   * Ensures that an HAProxy container with the current image and settings runs. Replaces outdated and stopped
   * containers.
   * @throws Error if no HAProxy container runs
   */
  async ensure(): Promise<Ensured> {
    const { docker, folder, image, images } = this.#options;
    // Every user may enter the folder, because HAProxy does not run as root and must reach its socket in the folder.
    await makeFolder(folder, 0o711);
    await chmod(folder, 0o711);
    const found = await this.#list();
    const serving = await this.#findServing(found);
    const others = found.filter(({ number }) => number !== serving?.number);
    const next = (found[0]?.number ?? 0) + 1;
    let result: Ensured;
    try {
      const settings = { ...this.#options, imageId: await ensureProxyImage(docker, image, images) };
      const adopted = serving?.recipe === recipeOf(settings);
      if (serving === null) await this.#removeBroken(found);
      const current = adopted
        ? serving
        : await this.#start(next, createRequest(settings, next, serving?.number ?? null));
      if (serving !== null && !adopted) others.push(serving);
      result = { current, replaced: !adopted && serving !== null, problem: null };
    } catch (error) {
      if (serving === null) throw error;
      const problem = `The container of the proxy could not be replaced, so the old container continues to run: ${(error as Error).message}`;
      result = { current: serving, replaced: false, problem };
    }
    await this.#keepRunning(result.current);
    for (const other of others) await this.#retire(other);
    return result;
  }

  /**
   * Makes Docker restart the HAProxy container whenever it exits.
   * @throws RuntimeUnreachable if the container has already exited
   */
  async #keepRunning({ containerId }: Generation): Promise<void> {
    try {
      await this.#api.setRestartPolicy(containerId, 'always');
    } catch (cause) {
      if (!(cause instanceof EngineRefused)) throw cause;
      throw new RuntimeUnreachable(`the restart policy of the proxy could not be set: ${cause.message}`, { cause });
    }
  }

  /**
   * Searches a container's log for an address on which HAProxy could not listen.
   * @param since start of the failed reload in milliseconds since the epoch
   * @returns `null` if the log contains no such address
   */
  async bindErrorOf({ containerId }: Generation, since: number): Promise<CannotListen | null> {
    const log = await this.#api.logs(containerId, since);
    const error = startError(log, 'exited', this.#options.httpsPort);
    return error instanceof CannotListen ? error : null;
  }

  /**
   * Checks the configuration on disk with `haproxy -c` in a running container.
   * @returns HAProxy's error output, or `null` if the configuration is valid
   */
  async check({ containerId }: Generation): Promise<string | null> {
    const { exitCode, output } = await this.#api.exec(containerId, ['haproxy', '-c', '-f', CONFIG_FILE]);
    return exitCode === 0 ? null : output;
  }

  /**
   * Checks the configuration on disk in a temporary container, with the HAProxy version of the given image.
   * @returns HAProxy's error output, or `null` if the configuration is valid
   */
  async checkWith(imageId: string, signal: AbortSignal): Promise<string | null> {
    const { davitId, docker, folder } = this.#options;
    const body = checkRequest({ ...this.#options, imageId, folder });
    const { exitCode, output } = await runToEnd(docker, { name: `${namePrefix(davitId)}check-proxy`, body, signal });
    return exitCode === 0 ? null : output;
  }

  /**
   * Returns the HAProxy containers, the newest first. Paused containers are resumed first, because a paused HAProxy
   * uses its port but does not respond.
   */
  async #list(): Promise<Found[]> {
    const listed = await this.#api.list();
    await this.#unpaused(listed);
    return listed.map(({ id, generation, ...rest }) => ({ ...this.#generation(generation, id), ...rest }));
  }

  /**
   * Resumes paused HAProxy containers. Each container is inspected, because Docker's container list can be outdated
   * directly after a pause.
   */
  async #unpaused(listed: readonly ListedContainer[]): Promise<void> {
    for (const { id, state } of listed) {
      if (COMING.has(state) && (await this.#api.look(id)).state === 'paused') await this.#api.unpause(id);
    }
  }

  #generation(number: number, containerId: string): Generation {
    const { folder } = this.#options;
    return {
      number,
      containerId,
      socket: join(folder, `${number}.sock`),
      master: join(folder, `${number}-master.sock`),
    };
  }

  async #findServing(found: Found[]): Promise<Found | null> {
    for (const candidate of found) {
      // Waits only for the newest HAProxy container. Older containers are shutting down and may no longer respond.
      const timeoutMs = candidate === found[0] ? ANSWER_TIMEOUT_MS : 0;
      if (COMING.has(candidate.state) && (await this.#answers(candidate, timeoutMs)) === null) return candidate;
    }
    return null;
  }

  /**
   * Removes HAProxy containers that do not respond, because they still use the port. Containers that are shutting down
   * are kept.
   */
  async #removeBroken(found: Found[]): Promise<void> {
    for (const generation of found) {
      if (!(await this.#api.look(generation.containerId)).restarts) continue;
      try {
        await this.#remove(generation);
      } catch (error) {
        if (!(error instanceof EngineRefused)) throw error;
        // Docker stops a container before it removes the container. Even if the removal fails, the port is free.
        this.#options.log.warn(
          { error, generation: generation.number },
          'the new container of the proxy did not start and could not be removed',
        );
      }
    }
  }

  /**
   * Waits until the HAProxy worker responds.
   * @returns `null` if the worker responds, `exited` if the container has exited, or `silent` after the timeout
   */
  async #answers(generation: Generation, timeoutMs: number): Promise<'exited' | 'silent' | null> {
    let began = performance.now();
    for (let isUnpaused = false; ; await delay(20)) {
      // HAProxy does not respond while it starts, so errors are expected. After the timeout, the result is `silent`.
      const answer = await sendCommands(generation.socket, ['show version'], VERSION_TIMEOUT_MS).catch(() => null);
      if (answer !== null) return null;
      const { state } = await this.#api.look(generation.containerId);
      if (!COMING.has(state)) return 'exited';
      /*
       * Resumes a paused container. The timeout is restarted only once, because repeated pauses must not extend the
       * wait.
       */
      if (state === 'paused') {
        await this.#api.unpause(generation.containerId);
        if (!isUnpaused) began = performance.now();
        isUnpaused = true;
        continue;
      }
      const limitMs = state === 'restarting' ? Math.min(timeoutMs, RESTART_TIMEOUT_MS) : timeoutMs;
      if (performance.now() >= began + limitMs) return 'silent';
    }
  }

  async #start(number: number, request: ReturnType<typeof createRequest>): Promise<Generation> {
    const { davitId, log } = this.#options;
    const name = proxyName(davitId, number);
    const generation = this.#generation(number, await this.#api.create(name, request));
    await removeSockets(generation);
    try {
      await this.#api.start(generation.containerId);
      const outcome = await this.#answers(generation, READY_TIMEOUT_MS);
      if (outcome !== null)
        throw startError(await this.#api.logs(generation.containerId), outcome, this.#options.httpsPort);
    } catch (error) {
      await this.#remove(generation);
      throw error;
    }
    log.info({ container: name }, 'the proxy has started');
    return generation;
  }

  /**
   * Makes an old HAProxy container exit after its open requests. If Docker refuses the request, the container keeps
   * running until the next `ensure` call.
   */
  async #retire(generation: Found): Promise<void> {
    const { containerId, state, number } = generation;
    if (this.#retiring.has(containerId)) return;
    try {
      // Only a running container accepts signals. A container in another state, such as `dead`, gets no signal.
      if (COMING.has(state)) await this.#api.retire(containerId);
    } catch (error) {
      if (!(error instanceof EngineRefused)) throw error;
      this.#options.log.warn({ error, generation: number }, 'the old container of the proxy could not be stopped');
      return;
    }
    this.#retiring.set(containerId, generation);
    void this.#removeAtEnd(generation);
  }

  async #removeAtEnd(generation: Generation): Promise<void> {
    const { log } = this.#options;
    const { containerId, number } = generation;
    try {
      await this.#api.waitForEnd(containerId, this.#closing.signal);
      await this.#remove(generation);
      log.info({ generation: number }, 'the old container of the proxy has stopped');
    } catch (error) {
      /*
       * If the removal fails, the daemon finds the old HAProxy container by its Docker labels when the daemon starts
       * again.
       */
      if (!this.#closing.signal.aborted) log.warn({ error }, 'the old container of the proxy could not be removed');
    } finally {
      this.#retiring.delete(containerId);
    }
  }

  async #remove(generation: Generation): Promise<void> {
    await this.#api.remove(generation.containerId);
    await removeSockets(generation);
  }
}

async function removeSockets({ socket, master }: Generation): Promise<void> {
  await Promise.all([rm(socket, { force: true }), rm(master, { force: true })]);
}

function startError(log: string, outcome: 'exited' | 'silent', httpsPort: number): Error {
  const message = explainStart(log, outcome, httpsPort);
  const problem = startProblemOf(log);
  return problem.code === 'cannot_bind' ? new CannotListen(message, problem.address) : new Error(message);
}

/**
 * Returns an error message for users about an HAProxy container that does not start.
 * @param log last lines of the container's log
 */
export function explainStart(log: string, outcome: 'exited' | 'silent', httpsPort: number): string {
  const problem = startProblemOf(log);
  if (problem.code === 'too_old') {
    return `The image of the proxy has HAProxy ${problem.version}, but Davit needs 2.6 or later. Set DAVIT_PROXY_IMAGE to a newer image.`;
  }
  if (problem.code === 'cannot_bind') {
    const { address, why } = problem;
    const setting = address.endsWith(`:${httpsPort}`) ? 'DAVIT_HTTPS_PORT' : 'DAVIT_HTTP_PORT';
    return `The proxy cannot listen on ${address} (${why}). Stop the program that uses the port, or set ${setting} to another port.`;
  }
  const words = (problem.alerts.length > 0 ? problem.alerts : log.trim().split('\n').slice(-3)).join(' ');
  return `The proxy ${outcome === 'exited' ? 'stopped during its start' : 'does not respond'}: ${words || 'the container printed no error message'}.`;
}
