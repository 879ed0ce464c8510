import type { Task } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { taskRecord } from '../../resources/tasks/task.ts';
import type { Reply } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

/** Returns the response for a started task. The status is 202, or 200 if the request waited until the task ended. */
export function begunTask(task: Task, waited = false): Reply {
  return { status: waited ? 200 : 202, body: task, headers: { location: `/api/tasks/${task.id}` } };
}

/**
 * Returns a function that creates the HTTP response for a started task. If the query parameter `wait` is set, the
 * function waits until the task has ended.
 */
export function begunTasks(core: HttpDeps) {
  return async (ctx: OpContext, task: number, { wait = false }: { wait?: boolean | undefined }): Promise<Reply> =>
    begunTask(await taskRecord(core, ctx, task, wait), wait);
}
