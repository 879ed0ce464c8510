import type { Task } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { taskRecord } from '../../resources/tasks/task.ts';
import type { Reply } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

/**
 * Returns the response for a started task. A client that waited gets the final record. Other clients get the location
 * of the task.
 */
export function begunTask(task: Task, waited = false): Reply {
  return { status: waited ? 200 : 202, body: task, headers: { location: `/api/tasks/${task.id}` } };
}

/**
 * Returns a function that responds with a task by its number. The function waits for the end of the task if the query
 * contains `wait`.
 */
export function begunTasks(core: HttpDeps) {
  return async (ctx: OpContext, task: number, { wait = false }: { wait?: boolean | undefined }): Promise<Reply> =>
    begunTask(await taskRecord(core, ctx, task, wait), wait);
}
