/**
 * Finds resources whose creation failed. After a failure, Davit removes everything that the creation has made. Only the
 * task of the creation remains.
 */
import { DavitError, isTaskOpen, type Task } from '@davit/api';
import type { Args } from '../../api.ts';

/** Kinds of resources that a background task creates. */
export type CreatedKind = 'database' | 'object_store';

/** Resource that a background task creates. The format is the same as in the field `subject` of a task. */
export interface Created {
  kind: CreatedKind;
  name: string;
}

const CREATIONS: Readonly<Record<CreatedKind, string>> = {
  database: 'database.create',
  object_store: 'object_store.create',
};

const isCreation = ({ kind, subject }: Pick<Task, 'kind' | 'subject'>) =>
  (subject.kind === 'database' || subject.kind === 'object_store') && CREATIONS[subject.kind] === kind;

/** Returns the arguments of `listTasks` for the tasks of a resource. */
export function tasksOf({ kind, name }: Created): Args<'listTasks'> {
  return { query: { subject_kind: kind, subject: name } };
}

/**
 * Returns the newest creation task of a resource if this task failed, or `open` if this task is still running.
 * Otherwise, returns `null`.
 * @param tasks tasks of the resource, newest first
 */
export function lastCreation(tasks: readonly Task[]): Task | 'open' | null {
  const creation = tasks.find(isCreation);
  if (creation === undefined) return null;
  if (isTaskOpen(creation.status)) return 'open';
  return creation.status === 'failed' ? creation : null;
}

/** Arguments of `listTasks` for the newest tasks of all resources. */
export const NEWEST_TASKS = { query: { limit: '100' } } as const;

/** Returns whether an error says that a resource does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof DavitError && error.code === 'not_found';
}

/** Time in milliseconds for which a failed creation is shown in a list of resources. */
const LISTED_MS = 7 * 86_400_000;

/**
 * Returns the creation task of each resource that does not exist because its newest creation failed.
 * @param tasks tasks of all resources, newest first
 * @param existing names of the existing resources of each kind; if a kind has no entry, its creations are ignored
 * @param now current time in milliseconds since the epoch
 */
export function failedCreations(
  tasks: readonly Task[],
  existing: Partial<Record<CreatedKind, readonly string[] | undefined>>,
  now: number,
): Task[] {
  const seen = new Set<string>();
  return tasks.filter((task) => {
    const { kind, name } = task.subject;
    if (!isCreation(task) || seen.has(`${kind} ${name}`)) return false;
    seen.add(`${kind} ${name}`);
    const names = existing[kind as CreatedKind];
    const isNew = now - Date.parse(task.created_at) < LISTED_MS;
    return task.status === 'failed' && isNew && names !== undefined && !names.includes(name);
  });
}
