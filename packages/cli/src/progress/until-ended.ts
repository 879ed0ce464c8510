import { type Client, isTaskOpen, type Task } from '@davit/api';
import { patiently } from './patiently.ts';

/** Time in milliseconds for which a request is kept open, well below the limits of clients and proxies. */
const HOLD_MS = 60_000;

/**
 * Waits for the end of a task, however long it takes. The request is repeated after a restart of the instance, or when
 * it was open for too long.
 */
export async function untilEnded(client: Client, id: number, signal: AbortSignal, holdMs = HOLD_MS): Promise<Task> {
  for (;;) {
    const task = await patiently(() => held(client, id, signal, holdMs), signal);
    if (!isTaskOpen(task.status)) return task;
  }
}

/** Returns the task when it has ended, or its current state after some time. */
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
