import type { BackupsDeps } from '../deps.ts';
/** Steps that make a database for a task to fill, or take it away: those by which every database is made. */

import { databaseVolumeName } from '../../../adapters/engine/names.ts';
import type { Tx } from '../../../db/store.ts';
import { type DatabaseRow, databaseById, forgetDatabase, setDatabase } from '../../../db/tables/managed-database.ts';
import { takeDown } from '../../../managed-services/container.ts';
import { LEFT_DAYS, termOf } from '../../../trash/term.ts';
import type { OfDatabase } from '../../databases/base.ts';
import { createKind } from '../../databases/kinds/lifecycle.ts';
import { DATABASE } from '../../databases/resident.ts';
import { published, setUp } from '../../databases/steps.ts';
import type { TaskEnd, TaskStep, TaskWork } from '../../tasks/kind.ts';

type Step<I> = TaskStep<I, BackupsDeps>;

/** Which database the steps are about, where a task has several. */
export type DatabaseOf<I> = (input: I) => number;

/** A step of databases in a task of another kind. @param name where a task has the same step twice */
export function stepOn<I>(
  step: TaskStep<OfDatabase, BackupsDeps>,
  of: DatabaseOf<I>,
  name: string = step.name,
): Step<I> {
  const about = (work: TaskWork<I, BackupsDeps>): TaskWork<OfDatabase, BackupsDeps> => ({
    ...work,
    input: { database: of(work.input) },
  });
  const { run, undo, ...rest } = step;
  return {
    ...rest,
    name,
    run: (work, signal) => run(about(work), signal),
    ...(undo !== undefined && { undo: (work: TaskWork<I, BackupsDeps>) => undo(about(work)) }),
  };
}

/** All that it takes to make one which answers and has nothing in it; nobody finds it by its name yet. */
export function makeSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  return databaseSteps(of).filter(({ name }) => name !== published.name);
}

/** The same for one of the task's own, which may have taken over what another one had. */
export function makeHiddenSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  const undo = async ({ core, input }: TaskWork<I, BackupsDeps>) => removeOwnVolume(core, of(input));
  return makeSteps(of).map((step) => (step.name === 'volume' ? { ...step, undo } : step));
}

/** The same for a trial: what fills it sets it up, and nobody is better off for knowing a moment before whether that can be. */
export function makeTrialSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  return makeHiddenSteps(of).filter(({ name }) => name !== setUp.name);
}

/**
 * A step that fills what was made. After a restart all steps are taken again, and what is everybody’s by then has what
 * people wrote.
 */
export function beforeMade<I>(step: Step<I>, of: DatabaseOf<I>): Step<I> {
  return {
    ...step,
    async run(work, signal) {
      if (databaseById(work.core.store, of(work.input))?.state !== 'made') await step.run(work, signal);
    },
  };
}

/** What makes it everybody's. */
export function publishSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  return databaseSteps(of).filter(({ name }) => name === published.name);
}

function databaseSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  // They are the same for all.
  return createKind.steps({} as TaskWork<OfDatabase, BackupsDeps>).map((step) => stepOn(step, of));
}

/** What it was made with, and nothing that it took over: that is somebody's data. */
async function removeOwnVolume(core: BackupsDeps, id: number): Promise<void> {
  const row = databaseById(core.store, id);
  if (row !== undefined && hasOwnVolume(core, row)) await core.engine.removeVolume(row.volume);
}

function hasOwnVolume({ facts }: BackupsDeps, { id, volume }: DatabaseRow): boolean {
  return volume === databaseVolumeName(facts.id, id);
}

/** Takes away what was made for this task alone, with what is in it; its record goes with the end of the task. */
export async function removeMade(core: BackupsDeps, id: number): Promise<void> {
  const row = databaseById(core.store, id);
  if (row === undefined) return;
  // Not given the time to write down what goes with it.
  if (row.container_id !== null) await core.engine.remove(row.container_id);
  await takeDown(DATABASE, core, row);
  await removeOwnVolume(core, id);
}

/** In the transaction of an end without success: nothing is left of what was made, or what is left is removed later. */
export function forgetMade(tx: Tx, core: BackupsDeps, id: number, { clean }: Pick<TaskEnd, 'clean'>): void {
  const row = databaseById(tx, id);
  // In the trash it has what somebody had.
  if (row === undefined || row.deleted_at !== null) return;
  if (clean) {
    forgetDatabase(tx, id);
    return;
  }
  // With another one's data it is nobody's to remove: a person finds it in the trash.
  const trashed = () => ({ state: 'made', ...termOf(core, tx, LEFT_DAYS) }) as const;
  setDatabase(tx, id, hasOwnVolume(core, row) ? { state: 'failed' } : trashed(), { change: 'status' });
  core.nudgeDatabases();
}
