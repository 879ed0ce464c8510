import type { TaskEvent, TaskStatus, TaskSubject, TaskSubjectKind, Via, WorkProblemCode } from '@davit/api';
import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';

const TASK = selectFrom(
  'tasks',
  'id, kind, subject_kind, subject, project_id, status, progress, log, error, error_code, cancel_asked, asked_by, asked_via, created_at, started_at, finished_at',
);

/** A task without its input and its state, which are sealed and read alone. */
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

/** @param seal the input for the task of a number */
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
  tellOf(tx, id);
  return id;
}

export function taskById(db: Reader, id: number): TaskRow | undefined {
  return db.get(TASK.from('tasks WHERE id = ?'), id);
}

/** The one that has not ended of a subject. */
export function openTaskOf(db: Reader, kind: TaskSubjectKind, name: string): TaskRow | undefined {
  return db.get(TASK.from(`tasks WHERE subject_kind = ? AND subject = ? AND ${OPEN}`), kind, name);
}

/** The newest that has ended of a subject. */
export function lastEndedTaskOf(db: Reader, kind: TaskSubjectKind, name: string): TaskRow | undefined {
  return db.get(
    TASK.from(`tasks WHERE subject_kind = ? AND subject = ? AND NOT (${OPEN}) ORDER BY id DESC LIMIT 1`),
    ...[kind, name],
  );
}

/** The newest of a kind for a subject, ended or not. */
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

/** Those that have not ended, in the order in which they were asked for. */
export function openTasks(db: Reader): TaskRow[] {
  return db.all(TASK.from(`tasks WHERE ${OPEN} ORDER BY id`));
}

export interface TaskFilter {
  subject?: string | undefined;
  subjectKind?: TaskSubjectKind | undefined;
  status?: TaskStatus | undefined;
  /** Null: all, and those of no project. */
  projects: readonly number[] | null;
}

/** Newest first, those before a number when one is given. */
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

/** What it was asked with and what it keeps, sealed; gone when it has ended. */
export function sealedOfTask(db: Reader, id: number): Row<typeof SEALED> | undefined {
  return db.get(SEALED.from('tasks WHERE id = ?'), id);
}

export function setTaskState(tx: Tx, id: number, sealed: string): void {
  update(tx, 'tasks', id, { state: sealed });
}

/** Answers whether it applied: one that was cancelled while it waited has ended. */
export function beginTask(tx: Tx, id: number, at: number): boolean {
  const { changes } = tx.run(
    "UPDATE tasks SET status = 'running', started_at = coalesce(started_at, ?) WHERE id = ? AND status = 'pending'",
    at,
    id,
  );
  if (changes > 0) tellOf(tx, id);
  return changes > 0;
}

/** Answers whether it applied. The error of a failing one is on record already, and stays unless another is given. */
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
  if (changes > 0) tellOf(tx, id);
  return changes > 0;
}

/** Why it is being undone, so that a restart goes on with that. */
export function setTaskFailing(tx: Tx, id: number, error: string, code: WorkProblemCode | null): void {
  tx.run(`UPDATE tasks SET error = ?, error_code = ? WHERE id = ? AND ${OPEN}`, error, code, id);
}

/** Answers whether it applied. */
export function askCancelOfTask(tx: Tx, id: number): boolean {
  return tx.run(`UPDATE tasks SET cancel_asked = 1 WHERE id = ? AND ${OPEN}`, id).changes > 0;
}

/** Also tells of it, so that who follows sees how far it is. */
export function setTaskProgress(tx: Tx, id: number, progress: Progress): void {
  tx.run(`UPDATE tasks SET progress = ? WHERE id = ? AND ${OPEN}`, JSON.stringify(progress), id);
  tellOf(tx, id);
}

export function setTaskLog(tx: Tx, id: number, lines: readonly string[]): void {
  update(tx, 'tasks', id, { log: JSON.stringify(lines) });
}

/** Written by this program, and by nobody else. */
export function progressOf({ progress }: TaskRow): Progress | null {
  return progress === null ? null : (JSON.parse(progress) as Progress);
}

export function logOf({ log }: TaskRow): string[] {
  return log === null ? [] : (JSON.parse(log) as string[]);
}

/** Forgets all ended ones but the newest so many. */
export function pruneTasks(tx: Tx, kept: number): void {
  tx.run(
    `DELETE FROM tasks WHERE NOT (${OPEN}) AND id <= (SELECT id FROM tasks WHERE NOT (${OPEN}) ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    kept,
  );
}

/** Told to those who see the project. */
export function tellOf(tx: Tx, id: number, step: TaskEvent['step'] = null): void {
  const row = taskById(tx, id);
  if (row === undefined) return;
  const { kind, subject_kind, subject, status, error, project_id: projectId } = row;
  const data = { task: id, kind, subject: { kind: subject_kind, name: subject }, status, step, error };
  tx.event({ kind: 'task', ...(projectId !== null && { projectId }), data });
}
