/**
 * The proxy's containers, one generation after the other. One serves; when its image or its fixed settings change, the
 * next takes its listening sockets over, so that no connection is refused, and the old one ends with its last request.
 */
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DockerClient } from '../../engine/docker/client.ts';
import { ownFilter } from '../../engine/docker/context.ts';
import { isStatus } from '../../engine/docker/errors.ts';
import { decodeFrames } from '../../engine/docker/frames.ts';
import { LABEL } from '../../engine/engine.ts';
import { CONFIG_FILE } from './config.ts';
import { containerName, createRequest, GENERATION_LABEL, RECIPE_LABEL, recipeOf } from './create-request.ts';
import { ensureProxyImage } from './image.ts';
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
  socketOwner: { uid: number; gid: number } | null;
  log: Log;
}

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
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
  readonly #closing = new AbortController();
  #retiring = new Map<string, Generation>();

  constructor(options: ContainersOptions) {
    this.#options = options;
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
    const { folder } = this.#options;
    // Searchable by the worker, whose user is nobody's: its relay socket is here. What is inside says who may do what.
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o711);
    const found = await this.#list();
    const serving = await this.#findServing(found);
    const others = found.filter(({ number }) => number !== serving?.number);
    const next = (found[0]?.number ?? 0) + 1;
    let result: Ensured;
    try {
      const settings = { ...this.#options, imageId: await this.#image() };
      const adopted = serving?.recipe === recipeOf(settings);
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
    await this.#keepRunning(result.current);
    for (const other of others) await this.#retire(other);
    return result;
  }

  /** Lets the proxy's own parser judge the configuration on disk. @returns its words, or null when it is good */
  async check({ containerId }: Generation): Promise<string | null> {
    const { docker } = this.#options;
    const doing = 'check the configuration of the proxy';
    const body = { AttachStdout: true, AttachStderr: true, Cmd: ['haproxy', '-c', '-f', CONFIG_FILE] };
    const exec = await docker.call<{ Id: string }>({
      doing,
      method: 'POST',
      path: `/containers/${containerId}/exec`,
      body,
    });
    const stream = await docker.stream({
      doing,
      method: 'POST',
      path: `/exec/${exec.Id}/start`,
      body: { Detach: false, Tty: false },
    });
    const output = await readFrames(stream);
    const { ExitCode } = await docker.call<{ ExitCode: number }>({ doing, path: `/exec/${exec.Id}/json` });
    return ExitCode === 0 ? null : output;
  }

  async #image(): Promise<string> {
    return ensureProxyImage(this.#options.docker, this.#options.image);
  }

  /** Newest first. */
  async #list(): Promise<Found[]> {
    const { docker, davitId } = this.#options;
    const own = ownFilter(davitId).label;
    const query = { all: true, filters: { label: [...own, `${LABEL.kind}=proxy`] } };
    const containers = await docker.call<{ Id: string; State: string; Labels: Record<string, string> }[]>({
      doing: 'list containers of the proxy',
      path: '/containers/json',
      query,
    });
    return containers
      .map(({ Id, State, Labels }) => ({
        ...this.#generation(Number(Labels[GENERATION_LABEL]), Id),
        state: State,
        recipe: Labels[RECIPE_LABEL] ?? '',
      }))
      .sort((a, b) => b.number - a.number);
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

  /** @returns null when its worker answers, else what the container did instead */
  async #answers(generation: Generation, timeoutMs: number): Promise<'exited' | 'silent' | null> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      // Not answering yet is what is waited for; the deadline makes it the result.
      const answer = await execute(generation.socket, ['show version']).catch(() => null);
      if (answer !== null) return null;
      if ((await this.#state(generation)) === 'exited') return 'exited';
      if (performance.now() >= deadline) return 'silent';
      await delay(20);
    }
  }

  async #state({ containerId }: Generation): Promise<string> {
    try {
      const path = `/containers/${containerId}/json`;
      const { State } = await this.#options.docker.call<{ State: { Status: string } }>({
        doing: 'look at the proxy',
        path,
      });
      return State.Status;
    } catch (error) {
      if (isStatus(error, 404)) return 'exited';
      throw error;
    }
  }

  async #start(number: number, request: ReturnType<typeof createRequest>): Promise<Generation> {
    const { docker, davitId, folder, log } = this.#options;
    for (const name of [`${number}.sock`, `${number}-master.sock`]) await rm(join(folder, name), { force: true });
    const name = containerName(davitId, number);
    const { Id } = await docker.call<{ Id: string }>({
      doing: 'create container of the proxy',
      method: 'POST',
      path: '/containers/create',
      query: { name },
      body: request,
    });
    const generation = this.#generation(number, Id);
    try {
      await docker.call({ doing: 'start the proxy', method: 'POST', path: `/containers/${Id}/start` });
      const outcome = await this.#answers(generation, READY_TIMEOUT_MS);
      if (outcome !== null) throw new Error(explainStart(await this.#logs(generation), outcome));
    } catch (error) {
      await this.#remove(generation);
      throw error;
    }
    log.info({ container: name }, 'proxy: started');
    return generation;
  }

  async #keepRunning({ containerId }: Generation): Promise<void> {
    await this.#restartPolicy(containerId, 'always');
  }

  async #retire(generation: Found | Generation): Promise<void> {
    const { docker } = this.#options;
    const { containerId } = generation;
    if (this.#retiring.has(containerId)) return;
    await this.#restartPolicy(containerId, 'no');
    try {
      const path = `/containers/${containerId}/kill`;
      await docker.call({ doing: 'retire the old proxy', method: 'POST', path, query: { signal: 'SIGUSR1' } });
    } catch (error) {
      // 409: it has stopped already.
      if (!isStatus(error, 404, 409)) throw error;
    }
    this.#retiring.set(containerId, generation);
    void this.#removeAtEnd(generation);
  }

  async #removeAtEnd(generation: Generation): Promise<void> {
    const { docker, log } = this.#options;
    const { containerId, number } = generation;
    try {
      const path = `/containers/${containerId}/wait`;
      const { signal } = this.#closing;
      await docker.call({ doing: 'wait for the old proxy', method: 'POST', path, timeoutMs: null, signal });
      await this.#remove(generation);
      log.info({ generation: number }, 'proxy: the old one has ended');
    } catch (error) {
      // The next start finds it by its labels.
      if (!this.#closing.signal.aborted) log.warn({ error }, 'proxy: the old one could not be removed');
    } finally {
      this.#retiring.delete(containerId);
    }
  }

  async #restartPolicy(containerId: string, name: 'always' | 'no'): Promise<void> {
    const path = `/containers/${containerId}/update`;
    const body = { RestartPolicy: { Name: name } };
    await this.#options.docker.call({ doing: 'set the restart policy of the proxy', method: 'POST', path, body });
  }

  async #remove({ containerId, socket, master }: Generation): Promise<void> {
    try {
      const path = `/containers/${containerId}`;
      await this.#options.docker.call({ doing: 'remove container', method: 'DELETE', path, query: { force: true } });
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
    }
    await Promise.all([rm(socket, { force: true }), rm(master, { force: true })]);
  }

  async #logs({ containerId }: Generation): Promise<string> {
    const query = { stdout: true, stderr: true, tail: 30 };
    const path = `/containers/${containerId}/logs`;
    return readFrames(await this.#options.docker.stream({ doing: 'read the log of the proxy', path, query }));
  }
}

async function readFrames(stream: Parameters<typeof decodeFrames>[0]): Promise<string> {
  const parts: Buffer[] = [];
  for await (const { payload } of decodeFrames(stream)) parts.push(payload);
  return Buffer.concat(parts).toString();
}

/** What a person can do about a proxy that does not start, from its log. */
export function explainStart(log: string, outcome: 'exited' | 'silent'): string {
  const alerts = log.split('\n').filter((line) => line.startsWith('[ALERT]'));
  const version = /haproxy version is (\d+)\.(\d+)\S*/.exec(log);
  const taken = /cannot bind socket \((Address already in use|Permission denied)\).*?\[?([^\s[\]]+:\d+)\]?/i.exec(log);
  if (version !== null && Number(version[1]) * 100 + Number(version[2]) < 206) {
    return `The proxy's image has ${version[0].replace('haproxy version is ', 'HAProxy ')}, and 2.6 or later is needed (\`add server\` without a reload): set DAVIT_PROXY_IMAGE to a newer one.`;
  }
  if (taken !== null) {
    return `The proxy cannot listen on ${taken[2]} (${taken[1]}): stop what uses the port, or set DAVIT_HTTP_PORT to another.`;
  }
  const words = (alerts.length > 0 ? alerts : log.trim().split('\n').slice(-3)).join(' ');
  return `The proxy ${outcome === 'exited' ? 'ended at its start' : 'does not answer'}: ${words || 'it wrote no reason'}.`;
}
