import { type Client, isTaskOpen, type Task } from '@davit/api';
import { patiently } from './patiently.ts';

/**
 * Maximum milliseconds of one request that waits for the end of a task: less than usual timeouts of HTTP clients and
 * proxies.
 */
const HOLD_MS = 60_000;

/**
 * Waits until a background task ends, without a time limit. The request is repeated after its timeout or a restart of
 * the instance.
 */
export async function untilEnded(client: Client, id: number, signal: AbortSignal, holdMs = HOLD_MS): Promise<Task> {
  for (;;) {
    const task = await patiently(() => held(client, id, signal, holdMs), signal);
    if (!isTaskOpen(task.status)) return task;
  }
}

/** Requests a background task with `wait=true`. After the timeout, returns the task in its current state. */
async function held(client: Client, id: number, signal: AbortSignal, holdMs: number): Promise<Task> {
  const params = { task: String(id) };
  const isLong = AbortSignal.timeout(holdMs);
  try {
    return await client.getTask({ params, query: { wait: 'true' }, signal: AbortSignal.any([signal, isLong]) });
  } catch (error) {
    if (signal.aborted || !isLong.aborted) throw error;
    return client.getTask({ params, signal });
  }
}
