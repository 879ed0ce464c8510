import type { TaskEvent, TaskStatus, TaskSubject, TaskSubjectKind, Via, WorkProblemCode } from '@davit/api';
import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';

const TASK = selectFrom(
  'tasks',
  'id, kind, subject_kind, subject, project_id, status, progress, log, error, error_code, cancel_asked, asked_by, asked_via, created_at, started_at, finished_at',
);

/** Row of a task, without the encrypted columns `input` and `state`. Davit reads these two columns only if needed. */
export type TaskRow = Row<typeof TASK>;

const SEALED = selectFrom('tasks', 'input, state');

export interface Progress {
  done: number;
  total: number | null;
  unit: string;
}

const OPEN = "status IN ('pending', 'running')";

export interface NewTask {
  kind: string;
  subject: TaskSubject;
  projectId: number | null;
  by: string;
  via: Via;
  at: number;
}

/**
 * Inserts a pending task and publishes an event.
 * @param seal encrypts the input. The encrypted input is valid only for the id of the new task.
 * @returns the id of the task
 */
export function insertTask(tx: Tx, task: NewTask, seal: (id: number) => string): number {
  const { kind, subject, projectId, by, via, at } = task;
  const id = insert(tx, 'tasks', {
    kind,
    subject_kind: subject.kind,
    subject: subject.name,
    project_id: projectId,
    asked_by: by,
    asked_via: via,
    created_at: at,
  });
  update(tx, 'tasks', id, { input: seal(id) });
  publishTaskEvent(tx, id);
  return id;
}

export function taskById(db: Reader, id: number): TaskRow | undefined {
  return db.get(TASK.from('tasks WHERE id = ?'), id);
}

/** Returns the unfinished task of a resource, such as a database. A resource has at most one unfinished task. */
export function openTaskOf(db: Reader, kind: TaskSubjectKind, name: string): TaskRow | undefined {
  return db.get(TASK.from(`tasks WHERE subject_kind = ? AND subject = ? AND ${OPEN}`), kind, name);
}

/** Returns the unfinished task that deletes a project and the contents of the project. */
export function openDeletionOf(db: Reader, projectId: number): TaskRow | undefined {
  return db.get(TASK.from(`tasks WHERE subject_kind = 'project' AND project_id = ? AND ${OPEN}`), projectId);
}

/** Returns the newest finished task of a resource, such as a database. */
export function lastEndedTaskOf(db: Reader, kind: TaskSubjectKind, name: string): TaskRow | undefined {
  return db.get(
    TASK.from(`tasks WHERE subject_kind = ? AND subject = ? AND NOT (${OPEN}) ORDER BY id DESC LIMIT 1`),
    ...[kind, name],
  );
}

/** Returns the newest task of one kind for a resource. The task may be finished or unfinished. */
export function lastTaskOfKind(
  db: Reader,
  kind: string,
  subjectKind: TaskSubjectKind,
  name: string,
): TaskRow | undefined {
  return db.get(
    TASK.from('tasks WHERE kind = ? AND subject_kind = ? AND subject = ? ORDER BY id DESC LIMIT 1'),
    ...[kind, subjectKind, name],
  );
}

/** Returns all unfinished tasks, oldest first. */
export function openTasks(db: Reader): TaskRow[] {
  return db.all(TASK.from(`tasks WHERE ${OPEN} ORDER BY id`));
}

export interface TaskFilter {
  subject?: string | undefined;
  subjectKind?: TaskSubjectKind | undefined;
  status?: TaskStatus | undefined;
  /** Ids of the projects whose tasks are returned. `null` returns all tasks, including tasks without a project. */
  projects: readonly number[] | null;
}

/**
 * Returns tasks, newest first.
 * @param before only tasks with a lower id are returned. `null` means no limit.
 */
export function listTaskRows(db: Reader, filter: TaskFilter, limit: number, before: number | null): TaskRow[] {
  const { subject, subjectKind, status, projects } = filter;
  return db.all(
    TASK.from(`tasks
      WHERE id < ?1 AND (?2 IS NULL OR subject = ?2) AND (?3 IS NULL OR subject_kind = ?3) AND (?4 IS NULL OR status = ?4)
        AND (?5 IS NULL OR project_id IN (SELECT value FROM json_each(?5)))
      ORDER BY id DESC LIMIT ?6`),
    before ?? Number.MAX_SAFE_INTEGER,
    subject ?? null,
    subjectKind ?? null,
    status ?? null,
    projects === null ? null : JSON.stringify(projects),
    limit,
  );
}

/** Returns the encrypted input and state of a task. Both are `null` after the task has ended. */
export function sealedOfTask(db: Reader, id: number): Row<typeof SEALED> | undefined {
  return db.get(SEALED.from('tasks WHERE id = ?'), id);
}

export function setTaskState(tx: Tx, id: number, sealed: string): void {
  update(tx, 'tasks', id, { state: sealed });
}

/**
 * Starts a pending task and publishes an event.
 * @returns `false` if the task is no longer pending, for example because it was canceled
 */
export function beginTask(tx: Tx, id: number, at: number): boolean {
  const { changes } = tx.run(
    "UPDATE tasks SET status = 'running', started_at = coalesce(started_at, ?) WHERE id = ? AND status = 'pending'",
    at,
    id,
  );
  if (changes > 0) publishTaskEvent(tx, id);
  return changes > 0;
}

/**
 * Records the end of a task, publishes an event, and deletes the task's encrypted input and state.
 * @returns whether the task was unfinished
 */
export function endTask(
  tx: Tx,
  id: number,
  status: 'succeeded' | 'failed' | 'cancelled',
  end: { at: number; error: string | null },
): boolean {
  const { changes } = tx.run(
    `UPDATE tasks SET status = ?, error = ?, finished_at = ?, input = NULL, state = NULL, progress = NULL WHERE id = ? AND ${OPEN}`,
    status,
    end.error,
    end.at,
    id,
  );
  if (changes > 0) publishTaskEvent(tx, id);
  return changes > 0;
}

/**
 * Records why a task fails. Call this function before the rollback. A restarted daemon then finds the reason and
 * continues the rollback.
 */
export function setTaskFailing(tx: Tx, id: number, error: string, code: WorkProblemCode | null): void {
  tx.run(`UPDATE tasks SET error = ?, error_code = ? WHERE id = ? AND ${OPEN}`, error, code, id);
}

/**
 * Requests the cancellation of an unfinished task.
 * @returns whether the task was unfinished
 */
export function requestCancelOfTask(tx: Tx, id: number): boolean {
  return tx.run(`UPDATE tasks SET cancel_asked = 1 WHERE id = ? AND ${OPEN}`, id).changes > 0;
}

/** Stores the progress of an unfinished task and publishes an event. */
export function setTaskProgress(tx: Tx, id: number, progress: Progress): void {
  tx.run(`UPDATE tasks SET progress = ? WHERE id = ? AND ${OPEN}`, JSON.stringify(progress), id);
  publishTaskEvent(tx, id);
}

export function setTaskLog(tx: Tx, id: number, lines: readonly string[]): void {
  update(tx, 'tasks', id, { log: JSON.stringify(lines) });
}

/** Parses the progress of a task. The JSON is not validated, because only the daemon writes it. */
export function progressOf({ progress }: TaskRow): Progress | null {
  return progress === null ? null : (JSON.parse(progress) as Progress);
}

export function logOf({ log }: TaskRow): string[] {
  return log === null ? [] : (JSON.parse(log) as string[]);
}

/** Deletes the finished tasks, except for the newest `kept` tasks. */
export function pruneTasks(tx: Tx, kept: number): void {
  tx.run(
    `DELETE FROM tasks WHERE NOT (${OPEN}) AND id <= (SELECT id FROM tasks WHERE NOT (${OPEN}) ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    kept,
  );
}

/** Publishes an event with the status of a task, for users who may see the task's project. */
export function publishTaskEvent(tx: Tx, id: number, step: TaskEvent['step'] = null): void {
  const row = taskById(tx, id);
  if (row === undefined) return;
  const { kind, subject_kind, subject, status, error, project_id: projectId } = row;
  const data = { task: id, kind, subject: { kind: subject_kind, name: subject }, status, step, error };
  tx.event({ kind: 'task', ...(projectId !== null && { projectId }), data });
}
