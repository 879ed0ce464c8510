/** API functions that read a task, wait for its end, and cancel it. */
import { type Task, type TaskStatus, type TaskSubjectKind, timestamp } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { listTaskRows, logOf, progressOf, type TaskRow, taskById } from '../../db/tables/task.ts';
import { stepsOfTask } from '../../db/tables/task-step.ts';
import { numberedPage } from '../../input/numbered-page.ts';
import { mapPage, type Page, type PageQuery } from '../../input/paging.ts';
import type { TasksDeps } from './deps.ts';

export interface TasksRequest extends PageQuery {
  subject?: string | undefined;
  subject_kind?: TaskSubjectKind | undefined;
  status?: TaskStatus | undefined;
}

/**
 * Returns the tasks that the user can see, newest first.
 * @throws DavitError invalid_input for an invalid cursor
 */
export function listTasks(core: TasksDeps, { actor }: OpContext, query: TasksRequest): Page<Task> {
  const { subject, subject_kind: subjectKind, status } = query;
  const filter = { subject, subjectKind, status, projects: actor.projects };
  const read = (limit: number, before: number | null) => listTaskRows(core.store, filter, limit, before);
  return mapPage(
    numberedPage(query, (row) => row.id, read),
    (row) => presentTask(core, row),
  );
}

export function readTask(core: TasksDeps, ctx: OpContext, row: TaskRow, wait: boolean): Promise<Task> {
  return taskRecord(core, ctx, row.id, wait);
}

/**
 * Cancels a task and waits until the task's steps are undone.
 * @throws DavitError conflict if the task has ended, or cannot be undone any more
 */
export async function cancelTask(core: TasksDeps, ctx: OpContext, row: TaskRow): Promise<Task> {
  await core.tasks.cancel(row.id);
  return taskRecord(core, ctx, row.id, false);
}

/**
 * Returns a task with its log for the API.
 * @param wait whether to wait for the end of the task
 */
export async function taskRecord(core: TasksDeps, { signal }: OpContext, id: number, wait: boolean): Promise<Task> {
  if (wait) await core.tasks.ended(id, signal);
  const row = taskById(core.store, id);
  if (row === undefined) throw new Error(`task ${id} is not in the database`);
  return { ...presentTask(core, row), log: logOf(row) };
}

function presentTask({ store, now }: Pick<TasksDeps, 'store' | 'now'>, row: TaskRow): Task {
  const { id, kind, subject_kind, subject, status, error, error_code, asked_by: by, asked_via: via } = row;
  const steps = stepsOfTask(store, id).map((step) => ({
    name: step.name,
    started_at: timestamp(step.started_at),
    finished_at: timestamp(step.finished_at),
    error: step.error,
  }));
  return {
    ...{ id, kind, subject: { kind: subject_kind, name: subject }, status, steps },
    ...{ progress: progressOf(row), error, error_code, by, via },
    created_at: timestamp(row.created_at),
    started_at: timestamp(row.started_at),
    finished_at: timestamp(row.finished_at),
    duration_ms: row.started_at === null ? null : (row.finished_at ?? now()) - row.started_at,
  };
}
