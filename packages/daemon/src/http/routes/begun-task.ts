import type { Task } from '@davit/api';
import type { Reply } from '../bind.ts';

/** A task that was begun: who waited gets the record as it ended; who did not, where to look. */
export function begunTask(task: Task, waited = false): Reply {
  return { status: waited ? 200 : 202, body: task, headers: { location: `/api/tasks/${task.id}` } };
}
