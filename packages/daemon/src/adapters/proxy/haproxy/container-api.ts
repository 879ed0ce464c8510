/** Sends Docker Engine API requests that manage the HAProxy containers. */

import type { DockerClient } from '../../engine/docker/client/client.ts';
import { isStatus } from '../../engine/docker/client/errors.ts';
import { decodeFrames } from '../../engine/docker/client/frames.ts';
import { ownFilter } from '../../engine/docker/context.ts';
import { LABEL, RECIPE_LABEL } from '../../engine/labels.ts';
import { type createRequest, GENERATION_LABEL } from './create-request.ts';

export interface ListedContainer {
  id: string;
  /** State of the container in Docker, for example `running`, `restarting` or `exited`. */
  state: string;
  generation: number;
  recipe: string;
}

interface Inspected {
  State: { Status: string };
  HostConfig: { RestartPolicy: { Name: string } };
}

export class ContainerApi {
  readonly #docker: DockerClient;
  readonly #davitId: string;

  constructor(docker: DockerClient, davitId: string) {
    this.#docker = docker;
    this.#davitId = davitId;
  }

  /** Returns all HAProxy containers of this Davit instance, the newest first. */
  async list(): Promise<ListedContainer[]> {
    const label = [...ownFilter(this.#davitId).label, `${LABEL.kind}=proxy`];
    const containers = await this.#docker.call<{ Id: string; State: string; Labels: Record<string, string> }[]>({
      doing: 'list containers of the proxy',
      path: '/containers/json',
      query: { all: true, filters: { label } },
    });
    return containers
      .map(({ Id: id, State: state, Labels }) => ({
        id,
        state,
        generation: Number(Labels[GENERATION_LABEL]),
        recipe: Labels[RECIPE_LABEL] ?? '',
      }))
      .sort((a, b) => b.generation - a.generation);
  }

  /** Returns the subnets of this Davit instance's Docker networks. */
  async subnets(): Promise<string[]> {
    const call = { doing: 'list networks', path: '/networks', query: { filters: ownFilter(this.#davitId) } };
    const networks = await this.#docker.call<{ IPAM?: { Config?: { Subnet?: string }[] | null } }[]>(call);
    return networks.flatMap(({ IPAM }) => (IPAM?.Config ?? []).flatMap(({ Subnet }) => Subnet ?? []));
  }

  async create(name: string, body: ReturnType<typeof createRequest>): Promise<string> {
    const doing = 'create container of the proxy';
    const path = '/containers/create';
    return (await this.#docker.call<{ Id: string }>({ doing, method: 'POST', path, query: { name }, body })).Id;
  }

  async start(id: string): Promise<void> {
    const path = `/containers/${id}/start`;
    await this.#docker.call({ doing: 'start the proxy', method: 'POST', path, fresh: true });
  }

  /** Resumes a paused container. The call also succeeds if the container is not paused or does not exist. */
  async unpause(id: string): Promise<void> {
    const path = `/containers/${id}/unpause`;
    await unless(this.#docker.call({ doing: 'unpause the proxy', method: 'POST', path }), 404, 409, 500);
  }

  /**
   * Returns the Docker state of a container, and whether Docker's restart policy restarts the container. If the
   * container does not exist, the state is `exited`.
   */
  async look(id: string): Promise<{ state: string; restarts: boolean }> {
    const call = { doing: 'inspect the proxy', path: `/containers/${id}/json` };
    const found = await unless(this.#docker.call<Inspected>(call), 404);
    return {
      state: found?.State.Status ?? 'exited',
      restarts: found?.HostConfig.RestartPolicy.Name === 'always',
    };
  }

  async setRestartPolicy(id: string, name: 'always' | 'no'): Promise<void> {
    const body = { RestartPolicy: { Name: name } };
    const doing = 'set the restart policy of the proxy';
    await this.#docker.call({ doing, method: 'POST', path: `/containers/${id}/update`, body });
  }

  /**
   * Disables the container's restart policy, and makes HAProxy exit after its open requests. The call also succeeds if
   * the container has already exited.
   */
  async retire(id: string): Promise<void> {
    const path = `/containers/${id}/kill`;
    await unless(this.setRestartPolicy(id, 'no'), 404);
    const query = { signal: 'SIGUSR1' };
    await unless(this.#docker.call({ doing: 'stop the old proxy gracefully', method: 'POST', path, query }), 404, 409);
  }

  /** Resolves when the container has stopped or does not exist. */
  async waitForEnd(id: string, signal: AbortSignal): Promise<void> {
    const call = { doing: 'wait for the old proxy', method: 'POST', path: `/containers/${id}/wait` } as const;
    await unless(this.#docker.call({ ...call, timeoutMs: null, signal }), 404);
  }

  /** Removes a container. The call also succeeds if the container does not exist or Docker is already removing it. */
  async remove(id: string): Promise<void> {
    const call = { doing: 'remove container of the proxy', method: 'DELETE', path: `/containers/${id}` } as const;
    await unless(this.#docker.call({ ...call, query: { force: true, v: true } }), 404, 409);
  }

  /**
   * Returns the last lines of a container's log.
   * @param since time of the oldest line in milliseconds since the epoch, rounded down to a second; default: no limit
   */
  async logs(id: string, since = 0): Promise<string> {
    const query = { stdout: true, stderr: true, tail: 30, since: Math.floor(since / 1_000) };
    const path = `/containers/${id}/logs`;
    return readFrames(await this.#docker.stream({ doing: 'read the log of the proxy', path, query }));
  }

  async exec(id: string, command: string[]): Promise<{ exitCode: number; output: string }> {
    const doing = `run ${command[0]} in the proxy's container`;
    const body = { AttachStdout: true, AttachStderr: true, Cmd: command };
    const path = `/containers/${id}/exec`;
    const { Id } = await this.#docker.call<{ Id: string }>({ doing, method: 'POST', path, body });
    const start = { doing, method: 'POST', path: `/exec/${Id}/start`, body: { Detach: false, Tty: false } } as const;
    const output = await readFrames(await this.#docker.stream(start));
    const { ExitCode } = await this.#docker.call<{ ExitCode: number }>({ doing, path: `/exec/${Id}/json` });
    return { exitCode: ExitCode, output };
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

async function readFrames(stream: Parameters<typeof decodeFrames>[0]): Promise<string> {
  const parts: Buffer[] = [];
  for await (const { payload } of decodeFrames(stream)) parts.push(payload);
  return Buffer.concat(parts).toString();
}
