import { setTimeout as delay } from 'node:timers/promises';
import { EngineUnavailable } from '../../errors.ts';
import type { Exit } from '../../instance.ts';
import { SLOW_CALL_MS } from '../client/client.ts';
import { ignoringGone, isRefusedIn, isStatus } from '../client/errors.ts';
import { readJson } from '../client/read-json.ts';
import type { DockerContext } from '../context.ts';
import type { DockerInstances } from './instances.ts';

/**
 * Pause in milliseconds before a request that waits for a container's exit is sent again. Davit sends the request again
 * if the connection to Docker breaks.
 */
const RETRY_MS = 500;

interface StopOrder {
  signal: string;
  graceS: number;
}

export interface EndingParts {
  context: DockerContext;
  instances: DockerInstances;
}

/**
 * Waits until a container has stopped. If the connection to Docker breaks, the wait request is sent again.
 * @throws EngineRefused if the container does not exist
 */
export async function waitExit({ context, instances }: EndingParts, id: string, signal: AbortSignal): Promise<Exit> {
  for (;;) {
    try {
      await instances.facts(id, 'wait for container', signal);
      const call = { doing: 'wait for container', method: 'POST', path: `/containers/${id}/wait` } as const;
      // Docker sends the response headers immediately, but sends the response body only after the container has exited.
      const stream = await context.client.stream({ ...call, query: { condition: 'not-running' }, signal });
      const { StatusCode } = await readJson<{ StatusCode: number }>(stream, call.doing, signal);
      const state = (await instances.inspect(id, signal))?.State;
      return { exitCode: StatusCode, oomKilled: state?.OOMKilled ?? false };
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
      await delay(RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

export async function stopInstance(ending: EndingParts, id: string, { signal, graceS }: StopOrder): Promise<void> {
  const { context, instances } = ending;
  const facts = await instances.findFacts(id);
  if (facts === null) return;
  const t = Math.ceil(graceS);
  if (signal !== facts.stopSignal && !(await signalled(ending, id, signal, t))) return;
  const query = { t: signal === facts.stopSignal ? t : 0 };
  const call = { doing: 'stop container', method: 'POST', path: `/containers/${id}/stop` } as const;
  await ignoringGone(context.client.call({ ...call, query, timeoutMs: t * 1000 + SLOW_CALL_MS }));
}

export async function removeInstance({ context, instances }: EndingParts, id: string): Promise<void> {
  if ((await instances.findFacts(id)) === null) return;
  await removeContainer(context, id);
  instances.forget(id);
}

/** Removes a container and its anonymous volumes. Docker keeps named volumes. */
export async function removeContainer({ client }: DockerContext, id: string): Promise<void> {
  const path = `/containers/${id}`;
  const call = { doing: 'remove container', timeoutMs: SLOW_CALL_MS };
  try {
    // The query parameter `v` also removes the container's anonymous volumes.
    await ignoringGone(client.call({ ...call, method: 'DELETE', path, query: { force: true, v: true } }));
  } catch (error) {
    if (!isStatus(error, 409) || !isRefusedIn(error, 'removal_in_progress')) throw error;
    // Another request is already removing the container, so Davit only waits for the end of the removal.
    await ignoringGone(client.call({ ...call, method: 'POST', path: `${path}/wait`, query: { condition: 'removed' } }));
  }
}

/**
 * Stops a container with a signal that is not its configured stop signal.
 * @returns `true` if the container may still run after the given number of seconds
 */
async function signalled(ending: EndingParts, id: string, signal: string, seconds: number): Promise<boolean> {
  const { context, instances } = ending;
  try {
    /*
     * Turns off restarts, because otherwise Docker restarts the container after any signal except the configured stop
     * signal.
     */
    await instances.update(id, { RestartPolicy: { Name: 'no' } });
    const path = `/containers/${id}/kill`;
    await context.client.call({ doing: 'stop container', method: 'POST', path, query: { signal } });
  } catch (error) {
    if (isStatus(error, 404)) return false;
    // Status 409 means that the container is not running. Docker may be about to restart the container.
    if (isStatus(error, 409)) return true;
    throw error;
  }
  const grace = AbortSignal.timeout(seconds * 1000);
  return waitExit(ending, id, grace).then(
    () => false,
    (error: unknown) => {
      if (grace.aborted) return true;
      throw error;
    },
  );
}
