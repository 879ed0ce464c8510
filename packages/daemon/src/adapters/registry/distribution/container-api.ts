/** The calls of the Engine API that the registry's containers need. */
import type { DockerClient } from '../../engine/docker/client/client.ts';
import { isStatus } from '../../engine/docker/client/errors.ts';
import { decodeFrames } from '../../engine/docker/client/frames.ts';
import { RECIPE_LABEL } from '../../engine/labels.ts';
import { STOP_TIMEOUT_S, VERSION_LABEL } from './create-request.ts';

export interface FoundContainer {
  id: string;
  /** Docker's word: `running`, `restarting`, `exited` … */
  state: string;
  /** Of its process, in milliseconds since the epoch. */
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

  /** By name or id; null: there is none. */
  async inspect(name: string): Promise<FoundContainer | null> {
    const call = { doing: 'look at the registry', path: `/containers/${name}/json` };
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

  /** Lets a paused one go on. */
  async unpause(id: string): Promise<void> {
    const path = `/containers/${id}/unpause`;
    await this.#docker.call({ doing: 'unpause the registry', method: 'POST', path });
  }

  /** Starts one anew that the engine leaves down for longer each time that it has ended. */
  async restart(id: string): Promise<void> {
    const call = { doing: 'restart the registry', method: 'POST', path: `/containers/${id}/restart` } as const;
    await this.#docker.call({ ...call, query: { t: 0 } });
  }

  /** Lets what runs end; one that has ended or is gone is fine. */
  async stop(id: string): Promise<void> {
    const timeoutMs = (STOP_TIMEOUT_S + 15) * 1_000;
    const call = { doing: 'stop the registry', method: 'POST', path: `/containers/${id}/stop`, timeoutMs } as const;
    await unless(this.#docker.call(call), 404);
  }

  /** Gone already is fine, and so is being removed. */
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

  /** Resolves with the exit code when it has ended. */
  async ended(id: string, signal: AbortSignal): Promise<number> {
    const call = { doing: 'wait for the registry', method: 'POST', path: `/containers/${id}/wait` } as const;
    return (await this.#docker.call<{ StatusCode: number }>({ ...call, timeoutMs: null, signal })).StatusCode;
  }

  /** The last lines that it wrote. */
  async logs(id: string, lines: number): Promise<string> {
    const query = { stdout: true, stderr: true, tail: lines };
    const path = `/containers/${id}/logs`;
    const parts: Buffer[] = [];
    const stream = await this.#docker.stream({ doing: 'read the log of the registry', path, query });
    for await (const { payload } of decodeFrames(stream)) parts.push(payload);
    return Buffer.concat(parts).toString();
  }
}

/** The answer; null when it is one of these statuses. */
async function unless<T>(answer: Promise<T>, ...statuses: number[]): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isStatus(error, ...statuses)) return null;
    throw error;
  }
}
