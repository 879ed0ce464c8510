/**
 * The proxy's containers, in successive generations. One generation serves. If its image or its fixed settings change,
 * the next generation takes over its listening sockets, so that no connection is refused. The old generation ends after
 * its last request.
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

/** Container of the proxy with the paths of its sockets. */
export interface Generation {
  number: number;
  containerId: string;
  /** Path on the host of the worker's socket. */
  socket: string;
  /** Path on the host of the master's socket, which also gives access to replaced workers. */
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
  /** Source of the image if `image` is `null`. Default: the image that all instances share. */
  images?: PlatformImageSource;
  httpsPort: number;
  networkPool: string;
  socketOwner: { uid: number; gid: number } | null;
  log: Log;
}

export interface Ensured {
  current: Generation;
  /** Whether this generation replaced another generation. */
  replaced: boolean;
  /** Reason why an outdated container still serves, or `null` if the container matches the desired state. */
  problem: string | null;
}

const READY_TIMEOUT_MS = 10_000;
/**
 * Maximum time in milliseconds for one attempt. Attempts repeat until the proxy responds, so a paused container does
 * not delay its own recovery.
 */
const VERSION_TIMEOUT_MS = 500;
/** Maximum time in milliseconds to wait for a running container before another container is created. */
const ANSWER_TIMEOUT_MS = 3_000;
/**
 * Maximum time in milliseconds to wait for a restart by the engine. The engine waits longer before each restart of a
 * crashed proxy, so a new container is faster.
 */
const RESTART_TIMEOUT_MS = 1_000;

/**
 * States in the terms of the engine in which a container responds or will respond soon. A paused container is resumed.
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

  /** Returns the network pool and the networks of this instance outside the pool. */
  async networks(): Promise<string[]> {
    const { networkPool } = this.#options;
    const pool = cidrRange(networkPool);
    const isOutside = (subnet: string) =>
      isIPv6(subnet.split('/')[0] ?? '') || cidrRange(subnet).first < pool.first || cidrRange(subnet).last > pool.last;
    return [networkPool, ...(await this.#api.subnets()).filter(isOutside).sort()];
  }

  /** Generations that only finish their open requests. */
  get retiring(): Generation[] {
    return [...this.#retiring.values()];
  }

  /** Stops watching retiring generations. The generations themselves continue to work. */
  close(): void {
    this.#closing.abort();
  }

  /**
   * Resumes paused containers. Runs outside a pass, because it changes nothing else and a pass may be waiting for one
   * of these containers.
   */
  async unpause(): Promise<void> {
    await this.#unpaused(await this.#api.list());
  }

  /**
   * Adopts the running container, replaces it or starts the first container.
   * @throws Error with the reason if no container runs
   */
  async ensure(): Promise<Ensured> {
    const { docker, folder, image, images } = this.#options;
    // The unprivileged worker must be able to traverse the folder, because its relay socket is inside. The permissions
    // of the files restrict access.
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
      const problem = `The proxy could not be replaced, so the earlier one continues to run: ${(error as Error).message}`;
      result = { current: serving, replaced: false, problem };
    }
    await this.#keepRunning(result.current);
    for (const other of others) await this.#retire(other);
    return result;
  }

  /**
   * Sets the restart policy of the serving container.
   * @throws RuntimeUnreachable if the container has ended meanwhile
   */
  async #keepRunning({ containerId }: Generation): Promise<void> {
    try {
      await this.#api.setRestartPolicy(containerId, 'always');
    } catch (cause) {
      if (!(cause instanceof EngineRefused)) throw cause;
      throw new RuntimeUnreachable(`keep the proxy running: ${cause.message}`, { cause });
    }
  }

  /**
   * Checks the configuration on disk with the proxy's parser.
   * @returns the parser's output, or `null` if the configuration is valid
   */
  async check({ containerId }: Generation): Promise<string | null> {
    const { exitCode, output } = await this.#api.exec(containerId, ['haproxy', '-c', '-f', CONFIG_FILE]);
    return exitCode === 0 ? null : output;
  }

  /**
   * Checks the configuration on disk with the parser of another image, in a separate container.
   * @returns the parser's output, or `null` if the configuration is valid
   */
  async checkWith(imageId: string, signal: AbortSignal): Promise<string | null> {
    const { davitId, docker, folder } = this.#options;
    const body = checkRequest({ ...this.#options, imageId, folder });
    const { exitCode, output } = await runToEnd(docker, { name: `${namePrefix(davitId)}check-proxy`, body, signal });
    return exitCode === 0 ? null : output;
  }

  /**
   * Returns the generations, the newest first. Resumes paused containers first, because a paused container keeps its
   * port without responding.
   */
  async #list(): Promise<Found[]> {
    const listed = await this.#api.list();
    await this.#unpaused(listed);
    return listed.map(({ id, generation, ...rest }) => ({ ...this.#generation(generation, id), ...rest }));
  }

  /**
   * Resumes paused containers. Inspects each container, because the engine's list shows a pause only a moment after its
   * event.
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
      // Only the newest container gets time to respond, because a retiring container has closed its worker's socket.
      const timeoutMs = candidate === found[0] ? ANSWER_TIMEOUT_MS : 0;
      if (COMING.has(candidate.state) && (await this.#answers(candidate, timeoutMs)) === null) return candidate;
    }
    return null;
  }

  /** Removes containers that neither respond nor retire. Such containers would keep the port occupied. */
  async #removeBroken(found: Found[]): Promise<void> {
    for (const generation of found) {
      if (!(await this.#api.look(generation.containerId)).restarts) continue;
      try {
        await this.#remove(generation);
      } catch (error) {
        if (!(error instanceof EngineRefused)) throw error;
        // The engine ends a container before the removal can fail, so the successor can start.
        this.#options.log.warn(
          { error, generation: generation.number },
          'proxy: container that does not start could not be removed',
        );
      }
    }
  }

  /**
   * Waits until the worker responds.
   * @returns `null` if the worker responds, or the state of the container if it does not
   */
  async #answers(generation: Generation, timeoutMs: number): Promise<'exited' | 'silent' | null> {
    let began = performance.now();
    for (let isUnpaused = false; ; await delay(20)) {
      // An error is expected while the container starts. After the deadline, the error becomes the result.
      const answer = await sendCommands(generation.socket, ['show version'], VERSION_TIMEOUT_MS).catch(() => null);
      if (answer !== null) return null;
      const { state } = await this.#api.look(generation.containerId);
      if (!COMING.has(state)) return 'exited';
      // Another program paused the container during this wait. The wait begins again, but only once.
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
        throw new Error(explainStart(await this.#api.logs(generation.containerId), outcome, this.#options.httpsPort));
    } catch (error) {
      await this.#remove(generation);
      throw error;
    }
    log.info({ container: name }, 'proxy: started');
    return generation;
  }

  /**
   * Retires a generation. If the engine refuses, the current generation still serves, and the next pass tries again.
   */
  async #retire(generation: Found): Promise<void> {
    const { containerId, state, number } = generation;
    if (this.#retiring.has(containerId)) return;
    try {
      // An ended container accepts no signals. If the engine failed to remove a container earlier, its state is `dead`.
      if (COMING.has(state)) await this.#api.retire(containerId);
    } catch (error) {
      if (!(error instanceof EngineRefused)) throw error;
      this.#options.log.warn({ error, generation: number }, 'proxy: old container could not be retired');
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
      log.info({ generation: number }, 'proxy: old container has ended');
    } catch (error) {
      // The next start finds the container by its labels.
      if (!this.#closing.signal.aborted) log.warn({ error }, 'proxy: old container could not be removed');
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

/** Returns a message for users about a proxy that does not start, from its log. */
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
  return `The proxy ${outcome === 'exited' ? 'ended when it started' : 'does not respond'}: ${words || 'it printed no error message'}.`;
}
