import { type Client, isTaskOpen, type Task } from '@davit/api';
import { patiently } from './patiently.ts';

/**
 * Maximum time in milliseconds of one request that waits for the end of a task. It must be shorter than usual timeouts
 * of HTTP clients and proxies.
 */
const HOLD_MS = 60_000;

/**
 * Waits until a background task ends, without a time limit. Repeats the request after a timeout of the request or a
 * restart of the instance.
 */
export async function untilEnded(client: Client, id: number, signal: AbortSignal, holdMs = HOLD_MS): Promise<Task> {
  for (;;) {
    const task = await patiently(() => held(client, id, signal, holdMs), signal);
    if (!isTaskOpen(task.status)) return task;
  }
}

/** Requests a background task with `wait=true`. If the wait times out, returns the task in its current state. */
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
