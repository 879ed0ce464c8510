/** Sends Docker Engine API requests that manage the registry container. */
import type { DockerClient } from '../../engine/docker/client/client.ts';
import { isStatus } from '../../engine/docker/client/errors.ts';
import { decodeFrames } from '../../engine/docker/client/frames.ts';
import { RECIPE_LABEL } from '../../engine/labels.ts';
import { STOP_TIMEOUT_S, VERSION_LABEL } from './create-request.ts';

export interface FoundContainer {
  id: string;
  /** State of the container in Docker, for example `running`, `restarting` or `exited`. */
  state: string;
  /** Start time of the container's process, in milliseconds since the epoch. */
  startedAt: number;
  imageId: string;
  recipe: string;
  version: string;
}

interface Inspected {
  Id: string;
  Image: string;
  State: { Status: string; StartedAt: string };
  Config: { Labels: Record<string, string> | null };
}

export class ContainerApi {
  readonly #docker: DockerClient;

  constructor(docker: DockerClient) {
    this.#docker = docker;
  }

  /** Inspects the registry container by its name or id. Returns `null` if the container does not exist. */
  async inspect(name: string): Promise<FoundContainer | null> {
    const call = { doing: 'inspect the registry', path: `/containers/${name}/json` };
    const found = await unless(this.#docker.call<Inspected>(call), 404);
    if (found === null) return null;
    const { Id: id, Image: imageId, State, Config } = found;
    const { [RECIPE_LABEL]: recipe = '', [VERSION_LABEL]: version = '' } = Config.Labels ?? {};
    return { id, state: State.Status, startedAt: Date.parse(State.StartedAt), imageId, recipe, version };
  }

  async create(name: string, body: object): Promise<string> {
    const call = { doing: 'create container of the registry', method: 'POST', path: '/containers/create' } as const;
    return (await this.#docker.call<{ Id: string }>({ ...call, query: { name }, body })).Id;
  }

  async start(id: string): Promise<void> {
    const path = `/containers/${id}/start`;
    await this.#docker.call({ doing: 'start the registry', method: 'POST', path, fresh: true });
  }

  async unpause(id: string): Promise<void> {
    const path = `/containers/${id}/unpause`;
    await this.#docker.call({ doing: 'unpause the registry', method: 'POST', path });
  }

  /** Restarts a container immediately. Docker's automatic restart would wait longer after each exit. */
  async restart(id: string): Promise<void> {
    const call = { doing: 'restart the registry', method: 'POST', path: `/containers/${id}/restart` } as const;
    await this.#docker.call({ ...call, query: { t: 0 } });
  }

  /**
   * Stops a container when its open requests have ended. The call also succeeds if the container has already exited or
   * does not exist.
   */
  async stop(id: string): Promise<void> {
    const timeoutMs = (STOP_TIMEOUT_S + 15) * 1_000;
    const call = { doing: 'stop the registry', method: 'POST', path: `/containers/${id}/stop`, timeoutMs } as const;
    await unless(this.#docker.call(call), 404);
  }

  /** Removes a container. The call also succeeds if the container does not exist or Docker is already removing it. */
  async remove(name: string): Promise<void> {
    const call = { doing: 'remove container of the registry', method: 'DELETE', path: `/containers/${name}` } as const;
    await unless(this.#docker.call({ ...call, query: { force: true, v: true } }), 404, 409);
  }

  async rename(id: string, name: string): Promise<void> {
    const call = {
      doing: 'rename container of the registry',
      method: 'POST',
      path: `/containers/${id}/rename`,
    } as const;
    await this.#docker.call({ ...call, query: { name } });
  }

  async ended(id: string, signal: AbortSignal): Promise<number> {
    const call = { doing: 'wait for the registry', method: 'POST', path: `/containers/${id}/wait` } as const;
    return (await this.#docker.call<{ StatusCode: number }>({ ...call, timeoutMs: null, signal })).StatusCode;
  }

  async logs(id: string, lines: number): Promise<string> {
    const query = { stdout: true, stderr: true, tail: lines };
    const path = `/containers/${id}/logs`;
    const parts: Buffer[] = [];
    const stream = await this.#docker.stream({ doing: 'read the log of the registry', path, query });
    for await (const { payload } of decodeFrames(stream)) parts.push(payload);
    return Buffer.concat(parts).toString();
  }
}

/**
 * Returns the result of a Docker API request. Returns `null` if Docker responds with one of the given HTTP statuses.
 */
async function unless<T>(answer: Promise<T>, ...statuses: number[]): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isStatus(error, ...statuses)) return null;
    throw error;
  }
}
