/**
 * Waits until the databases and object stores of an installation exist. A separate task creates each database and
 * object store.
 */
import { lastTaskOfKind, logOf, openTaskOf } from '../../../db/tables/task.ts';
import { TaskFailed } from '../../tasks/kind.ts';
import type { Build } from './build.ts';
import { RESOURCE_NOUNS } from './things.ts';

export interface Creation {
  kind: 'database' | 'object_store';
  reference: string;
  /** Returns whether the database or object store exists and can be used. */
  isMade: () => boolean;
}

/**
 * Waits until a database or object store is created.
 * @throws TaskFailed that names the database or object store, with the reason, the error code and the log of the task
 * that could not create it; the reason of `signal`
 */
export async function untilCreated(
  { core }: Pick<Build, 'core'>,
  { kind, reference, isMade }: Creation,
  signal: AbortSignal,
): Promise<void> {
  const open = openTaskOf(core.store, kind, reference);
  if (open !== undefined) await core.tasks.ended(open.id, signal);
  if (isMade()) return;
  // Also find an ended task. It may have failed while the installation waited for another task.
  const task = lastTaskOfKind(core.store, `${kind}.create`, kind, reference);
  const reason = task?.error ?? `The ${RESOURCE_NOUNS[kind]} does not exist anymore.`;
  const code = task?.error_code ?? null;
  throw new TaskFailed(
    `The ${RESOURCE_NOUNS[kind]} ${reference} could not be created: ${reason}`,
    task === undefined ? [] : logOf(task),
    code === null ? {} : { code },
  );
}
