import type { Task } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { taskRecord } from '../../resources/tasks/task.ts';
import type { Reply } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

/** A task that was begun: who waited gets the record as it ended; who did not, where to look. */
export function begunTask(task: Task, waited = false): Reply {
  return { status: waited ? 200 : 202, body: task, headers: { location: `/api/tasks/${task.id}` } };
}

/** The same for a task's number, which is waited for where the query says so. */
export function begunTasks(core: HttpDeps) {
  return async (ctx: OpContext, task: number, { wait = false }: { wait?: boolean | undefined }): Promise<Reply> =>
    begunTask(await taskRecord(core, ctx, task, wait), wait);
}
