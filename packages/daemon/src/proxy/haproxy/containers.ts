/**
 * The proxy's containers, one generation after the other. One serves; when its image or its fixed settings change, the
 * next takes its listening sockets over, so that no connection is refused, and the old one ends with its last request.
 */
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DockerClient } from '../../engine/docker/client.ts';
import type { Log } from '../../engine/docker/context.ts';
import { proxyName } from '../../engine/names.ts';
import { ContainerApi } from './container-api.ts';
import { createRequest, recipeOf } from './create-request.ts';
import { ensureProxyImage } from './image.ts';
import { CONFIG_FILE } from './names.ts';
import { execute } from './runtime.ts';

/** A container of the proxy, as an address. */
export interface Generation {
  number: number;
  containerId: string;
  /** Its worker's socket on the host. */
  socket: string;
  /** Its master's, which also leads to replaced workers. */
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
  httpsPort: number;
  socketOwner: { uid: number; gid: number } | null;
  log: Log;
}

export interface Ensured {
  current: Generation;
  /** It followed another one. */
  replaced: boolean;
  /** Why the one that runs is not the one that is wanted; it serves all the same. */
  problem: string | null;
}

const READY_TIMEOUT_MS = 10_000;
/** The engine restarts a proxy that was killed; it is waited for before another one is made. */
const RESTART_TIMEOUT_MS = 3_000;

export class ProxyContainers {
  readonly #options: ContainersOptions;
  readonly #api: ContainerApi;
  readonly #closing = new AbortController();
  readonly #retiring = new Map<string, Generation>();

  constructor(options: ContainersOptions) {
    this.#options = options;
    this.#api = new ContainerApi(options.docker, options.davitId);
  }

  /** Those that only finish what they serve. */
  get retiring(): Generation[] {
    return [...this.#retiring.values()];
  }

  /** Ends the watch over retiring generations, not their work. */
  close(): void {
    this.#closing.abort();
  }

  /** Adopts what runs, replaces it or starts the first one. @throws Error saying why none runs */
  async ensure(): Promise<Ensured> {
    const { docker, folder, image } = this.#options;
    // Searchable by the worker, whose user is nobody's: its relay socket is here. What is inside says who may do what.
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o711);
    const found = await this.#list();
    const serving = await this.#findServing(found);
    const others = found.filter(({ number }) => number !== serving?.number);
    const next = (found[0]?.number ?? 0) + 1;
    let result: Ensured;
    try {
      const settings = { ...this.#options, imageId: await ensureProxyImage(docker, image) };
      const adopted = serving?.recipe === recipeOf(settings);
      if (serving === null) await this.#removeBroken(found);
      const current = adopted
        ? serving
        : await this.#start(next, createRequest(settings, next, serving?.number ?? null));
      if (serving !== null && !adopted) others.push(serving);
      result = { current, replaced: !adopted && serving !== null, problem: null };
    } catch (error) {
      if (serving === null) throw error;
      const problem = `The running proxy could not be replaced and goes on: ${(error as Error).message}`;
      result = { current: serving, replaced: false, problem };
    }
    await this.#api.setRestartPolicy(result.current.containerId, 'always');
    for (const other of others) await this.#retire(other);
    return result;
  }

  /** Lets the proxy's own parser judge the configuration on disk. @returns its words, or null when it is good */
  async check({ containerId }: Generation): Promise<string | null> {
    const { exitCode, output } = await this.#api.exec(containerId, ['haproxy', '-c', '-f', CONFIG_FILE]);
    return exitCode === 0 ? null : output;
  }

  /** Newest first. */
  async #list(): Promise<Found[]> {
    const listed = await this.#api.list();
    return listed.map(({ id, generation, ...rest }) => ({ ...this.#generation(generation, id), ...rest }));
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
      const isComing = candidate.state === 'running' || candidate.state === 'restarting';
      // One that retires has closed its worker's socket.
      const timeoutMs = candidate === found[0] ? RESTART_TIMEOUT_MS : 0;
      if (isComing && (await this.#answers(candidate, timeoutMs)) === null) return candidate;
    }
    return null;
  }

  /** What neither answers nor retires would hold the port against its successor. */
  async #removeBroken(found: Found[]): Promise<void> {
    for (const generation of found) {
      if ((await this.#api.look(generation.containerId)).restarts) await this.#remove(generation);
    }
  }

  /** @returns null when its worker answers, else what the container did instead */
  async #answers(generation: Generation, timeoutMs: number): Promise<'exited' | 'silent' | null> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      // Not answering yet is what is waited for; the deadline makes it the result.
      const answer = await execute(generation.socket, ['show version']).catch(() => null);
      if (answer !== null) return null;
      if ((await this.#api.look(generation.containerId)).state === 'exited') return 'exited';
      if (performance.now() >= deadline) return 'silent';
      await delay(20);
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

  async #retire(generation: Generation): Promise<void> {
    const { containerId } = generation;
    if (this.#retiring.has(containerId)) return;
    await this.#api.retire(containerId);
    this.#retiring.set(containerId, generation);
    void this.#removeAtEnd(generation);
  }

  async #removeAtEnd(generation: Generation): Promise<void> {
    const { log } = this.#options;
    const { containerId, number } = generation;
    try {
      await this.#api.waitForEnd(containerId, this.#closing.signal);
      await this.#remove(generation);
      log.info({ generation: number }, 'proxy: the old one has ended');
    } catch (error) {
      // The next start finds it by its labels.
      if (!this.#closing.signal.aborted) log.warn({ error }, 'proxy: the old one could not be removed');
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

/** What a person can do about a proxy that does not start, from its log. */
export function explainStart(log: string, outcome: 'exited' | 'silent', httpsPort: number): string {
  const alerts = log.split('\n').filter((line) => line.startsWith('[ALERT]'));
  const version = /haproxy version is (\d+)\.(\d+)\S*/.exec(log);
  const taken = /cannot bind socket \((Address already in use|Permission denied)\).*?\[?([^\s[\]]+:\d+)\]?/i.exec(log);
  if (version !== null && Number(version[1]) * 100 + Number(version[2]) < 206) {
    return `The proxy's image has ${version[0].replace('haproxy version is ', 'HAProxy ')}, and 2.6 or later is needed (\`add server\` without a reload): set DAVIT_PROXY_IMAGE to a newer one.`;
  }
  if (taken !== null) {
    const setting = taken[2]?.endsWith(`:${httpsPort}`) ? 'DAVIT_HTTPS_PORT' : 'DAVIT_HTTP_PORT';
    return `The proxy cannot listen on ${taken[2]} (${taken[1]}): stop what uses the port, or set ${setting} to another.`;
  }
  const words = (alerts.length > 0 ? alerts : log.trim().split('\n').slice(-3)).join(' ');
  return `The proxy ${outcome === 'exited' ? 'ended at its start' : 'does not answer'}: ${words || 'it wrote no reason'}.`;
}
