import { type Client, isTaskOpen, type Task } from '@davit/api';
import { patiently } from './patiently.ts';

/**
 * Time in milliseconds after which a waiting request is repeated. It is shorter than the usual timeouts of HTTP clients
 * and proxies.
 */
const HOLD_MS = 60_000;

/**
 * Waits until a task ends, without a time limit. Repeats the waiting request after a timeout and after a restart of the
 * instance.
 */
export async function untilEnded(client: Client, id: number, signal: AbortSignal, holdMs = HOLD_MS): Promise<Task> {
  for (;;) {
    const task = await patiently(() => held(client, id, signal, holdMs), signal);
    if (!isTaskOpen(task.status)) return task;
  }
}

/** Requests a task with `wait=true`. Returns when the task has ended, or after the timeout with its current state. */
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
