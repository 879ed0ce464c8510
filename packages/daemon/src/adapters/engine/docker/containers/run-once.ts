import type { DockerClient } from '../client/client.ts';
import { isStatus } from '../client/errors.ts';
import { decodeFrames } from '../client/frames.ts';

export interface OnceOptions {
  /** Container name. If a killed daemon has left a container with this name, the old container is removed first. */
  name: string;
  /** Request body for `POST /containers/create` of the Docker Engine API. */
  body: object;
  signal: AbortSignal;
}

/**
 * Runs a container until it exits, and then removes the container.
 * @returns exit code and the last 50 lines of output
 */
export async function runToEnd(
  docker: DockerClient,
  { name, body, signal }: OnceOptions,
): Promise<{ exitCode: number; output: string }> {
  await remove(docker, name);
  const create = { doing: 'create container', method: 'POST', path: '/containers/create', query: { name } } as const;
  const { Id: id } = await docker.call<{ Id: string }>({ ...create, body, signal });
  try {
    await docker.call({ doing: 'start container', method: 'POST', path: `/containers/${id}/start`, signal });
    const wait = { doing: 'wait for container', method: 'POST', path: `/containers/${id}/wait` } as const;
    const { StatusCode } = await docker.call<{ StatusCode: number }>({ ...wait, timeoutMs: null, signal });
    const query = { stdout: true, stderr: true, tail: 50 };
    const parts: Buffer[] = [];
    const stream = await docker.stream({ doing: 'read the log of container', path: `/containers/${id}/logs`, query });
    for await (const { payload } of decodeFrames(stream)) parts.push(payload);
    return { exitCode: StatusCode, output: Buffer.concat(parts).toString() };
  } finally {
    await remove(docker, id);
  }
}

async function remove(docker: DockerClient, id: string): Promise<void> {
  const call = {
    doing: 'remove container',
    method: 'DELETE',
    path: `/containers/${id}`,
    query: { force: true, v: true },
  } as const;
  await docker.call(call).catch((error: unknown) => {
    if (!isStatus(error, 404, 409)) throw error;
  });
}
