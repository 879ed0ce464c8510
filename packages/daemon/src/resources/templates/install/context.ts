/**
 * Context of the steps of an installation task. The task acts for the user who started it, but only with the user's
 * current permissions.
 */
import { DavitError } from '@davit/api';
import type { OpContext } from '../../../auth/context.ts';
import { lookUp } from '../../../authorization/lookup.ts';
import { taskById } from '../../../db/tables/task.ts';
import { installById, resourcesOf } from '../../../db/tables/template-install.ts';
import { TaskFailed, type TaskStep, type TaskWork } from '../../tasks/kind.ts';
import { type RequesterRights, rightsNow } from '../../tasks/requester.ts';
import type { TemplatesDeps } from '../deps.ts';
import { isThat } from './things.ts';

/** Input fields that all tasks for an installed template have in common. */
export interface InstallTask {
  install: number;
  /**
   * Permissions of the user at the time of the request. The field is absent if an earlier Davit version started the
   * task. Such a task has all permissions.
   */
  asker?: RequesterRights;
}

export type InstallWork<I extends InstallTask = InstallTask> = TaskWork<I, TemplatesDeps>;

const UNRECORDED: RequesterRights = { userId: null, role: 'admin', projects: null };

/**
 * Returns the context of a task with the projects that the user can see now. Errors then do not contain the names of
 * hidden projects.
 */
export function contextOf({ core, taskId, input }: InstallWork, signal: AbortSignal = NEVER): OpContext {
  const { store } = core;
  const row = taskById(store, taskId);
  const rights = rightsNow(store, input.asker ?? UNRECORDED);
  const home = installById(store, input.install)?.project_id ?? null;
  const seen = rights === null ? [] : rights.projects;
  const actor = {
    ...{ username: row?.asked_by ?? 'davit', via: row?.asked_via ?? ('api' as const) },
    ...{ role: 'admin' as const, userId: input.asker?.userId ?? null },
    // Always include the installation's project. Otherwise, a failed task could not undo its changes.
    projects: seen === null || home === null ? seen : [...new Set([...seen, home])],
  };
  return { actor, requestId: `task-${taskId}`, log: core.log, signal };
}

const NEVER = new AbortController().signal;

type Steps<I> = readonly TaskStep<I, TemplatesDeps>[];

/**
 * Adds a check of the user's current permissions before every step of a task. The undo of a step needs no permissions.
 */
export function asRequester<I extends InstallTask>(steps: Steps<I>): Steps<I> {
  return checked(steps, demandRights);
}

/**
 * Adds a check before every step of a task. The check fails if the project or the environment was deleted or replaced.
 */
export function withSameTarget<I extends InstallTask>(steps: Steps<I>): Steps<I> {
  return checked(steps, demandSameTarget);
}

function checked<I extends InstallTask>(steps: Steps<I>, check: (work: InstallWork) => void): Steps<I> {
  return steps.map((step) => ({
    ...step,
    run: async (work, signal) => {
      check(work);
      await step.run(work, signal);
    },
  }));
}

/** @throws TaskFailed if the user of the task may not administer the installation any more */
export function demandRights(work: InstallWork): void {
  const { core, input } = work;
  const rights = rightsNow(core.store, input.asker ?? UNRECORDED);
  try {
    if (rights === null) throw new DavitError('forbidden');
    const { actor } = contextOf(work);
    lookUp(core.store, { ...actor, ...rights }, 'administer', 'install', { install: String(input.install) });
  } catch (error) {
    if (error instanceof DavitError) throw new TaskFailed(RIGHTS_ENDED, [], { cause: error });
    throw error;
  }
}

const RIGHTS_ENDED =
  'The user who started this task is not allowed to change this installation any more. An admin of the installation’s project can start the task again.';

/** @throws TaskFailed if the original project or environment was deleted, even if a new one has its name */
function demandSameTarget({ core, input }: InstallWork): void {
  const { store } = core;
  const targets = resourcesOf(store, input.install).filter(({ kind }) => kind === 'project' || kind === 'environment');
  const other = targets.find((row) => row.state !== 'planned' && !isThat(store, row));
  if (other !== undefined)
    throw new TaskFailed(`The ${other.kind} ${other.reference} of this installation does not exist any more.`);
}
