import type { BackupsDeps } from '../deps.ts';
/**
 * Task steps that create or remove a database, for example during a restore. The steps are adapted from the steps of
 * the task kind `database.create`.
 */

import { databaseVolumeName } from '../../../adapters/engine/names.ts';
import type { Tx } from '../../../db/store.ts';
import { type DatabaseRow, databaseById, forgetDatabase, setDatabase } from '../../../db/tables/managed-database.ts';
import { takeDown } from '../../../managed-services/container.ts';
import { LEFT_DAYS, termOf } from '../../../trash/term.ts';
import type { OfDatabase } from '../../databases/base.ts';
import { createKind } from '../../databases/kinds/lifecycle.ts';
import { DATABASE } from '../../databases/managed-service.ts';
import { published, setUp } from '../../databases/steps.ts';
import type { TaskEnd, TaskStep, TaskWork } from '../../tasks/kind.ts';

type Step<I> = TaskStep<I, BackupsDeps>;

/**
 * Function that returns the id of a database from the input of a task. A task can use several databases, so each step
 * has its own function.
 */
export type DatabaseOf<I> = (input: I) => number;

/**
 * Adapts a task step for one database to a task with another type of input.
 * @param name required if a task uses the same step twice
 */
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

/**
 * Returns the task steps that create an empty, running database. After these steps, the database has no host name in
 * the internal DNS yet.
 */
export function makeSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  return databaseSteps(of).filter(({ name }) => name !== published.name);
}

/**
 * Returns the task steps that create a temporary, hidden database. If the task fails, the volume of this database is
 * removed.
 */
export function makeHiddenSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  const undo = async ({ core, input }: TaskWork<I, BackupsDeps>) => removeOwnVolume(core, of(input));
  return makeSteps(of).map((step) => (step.name === 'volume' ? { ...step, undo } : step));
}

/**
 * Returns the task steps that create a temporary database for the verification of a backup. The step `set-up` is
 * omitted, because the restore of the backup creates the database users.
 */
export function makeTrialSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  return makeHiddenSteps(of).filter(({ name }) => name !== setUp.name);
}

/**
 * Wraps a task step that must not run after the database is finished. After a restart of the daemon, Davit repeats
 * steps, and the database may already contain data of users.
 */
export function beforeMade<I>(step: Step<I>, of: DatabaseOf<I>): Step<I> {
  return {
    ...step,
    async run(work, signal) {
      if (databaseById(work.core.store, of(work.input))?.state !== 'made') await step.run(work, signal);
    },
  };
}

/**
 * Returns the task steps that publish the host name of a database in the internal DNS. After these steps, apps can
 * connect to the database by this name.
 */
export function publishSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  return databaseSteps(of).filter(({ name }) => name === published.name);
}

function databaseSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  // The list of steps does not depend on the task. So pass an empty object to `createKind` instead of a task.
  return createKind.steps({} as TaskWork<OfDatabase, BackupsDeps>).map((step) => stepOn(step, of));
}

/**
 * Removes the volume that Davit created for a database. If the database uses the volume of another database, the volume
 * is not removed.
 */
async function removeOwnVolume(core: BackupsDeps, id: number): Promise<void> {
  const row = databaseById(core.store, id);
  if (row !== undefined && hasOwnVolume(core, row)) await core.engine.removeVolume(row.volume);
}

function hasOwnVolume({ facts }: BackupsDeps, { id, volume }: DatabaseRow): boolean {
  return volume === databaseVolumeName(facts.id, id);
}

/** Removes a temporary database of a task, with its data. The row of the database is removed when the task ends. */
export async function removeMade(core: BackupsDeps, id: number): Promise<void> {
  const row = databaseById(core.store, id);
  if (row === undefined) return;
  // Remove the container without a graceful stop, because the data of the database is not needed.
  if (row.container_id !== null) await core.engine.remove(row.container_id);
  await takeDown(DATABASE, core, row);
  await removeOwnVolume(core, id);
}

/** Reason for data in the trash that Davit could not restore after a failed task. */
const LEFT_DATA = 'A failed restore or upgrade left this data.';

/**
 * Removes the row of a new database after its task has failed. The removal is part of the transaction that ends the
 * task.
 */
export function forgetMade(tx: Tx, core: BackupsDeps, id: number, { clean }: Pick<TaskEnd, 'clean'>): void {
  const row = databaseById(tx, id);
  // Do not remove a database that is already in the trash, because it contains data of users.
  if (row === undefined || row.deleted_at !== null) return;
  // If the container or the volume of the database could not be removed, keep the row. A later cleanup needs the row.
  if (clean) {
    forgetDatabase(tx, id);
    return;
  }
  /*
   * A database that uses the volume of another database contains data of users. So move the database to the trash and
   * do not delete it.
   */
  const trashed = () => ({ state: 'made', ...termOf(core, tx, LEFT_DAYS), reason: LEFT_DATA }) as const;
  setDatabase(tx, id, hasOwnVolume(core, row) ? { state: 'failed' } : trashed(), { change: 'status' });
  core.nudgeDatabases();
}
