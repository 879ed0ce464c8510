import { type Client, isTaskOpen, type Task } from '@davit/api';
import { patiently } from './patiently.ts';

/** Well below what a client or a proxy on the way allows a request to be without an answer. */
const HOLD_MS = 60_000;

/**
 * Waits for the end of a task, however long it takes: an instance that is restarted, or a request that was held for too long,
 * is asked again.
 */
export async function untilEnded(client: Client, id: number, signal: AbortSignal, holdMs = HOLD_MS): Promise<Task> {
  for (;;) {
    const task = await patiently(() => held(client, id, signal, holdMs), signal);
    if (!isTaskOpen(task.status)) return task;
  }
}

/** The task when it has ended, or as it is after a while. */
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
