import type { BackupsDeps } from '../deps.ts';
/** Steps that make or remove a database for a task. Every other new database is made with the same steps. */

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

/** Returns the number of the database that a step acts on. A task may have several databases. */
export type DatabaseOf<I> = (input: I) => number;

/**
 * Returns a step of databases for a task of another kind.
 * @param name name of the step, if a task has the same step twice
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

/** Returns the steps that make an empty, running database. Apps cannot find this database by name yet. */
export function makeSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  return databaseSteps(of).filter(({ name }) => name !== published.name);
}

/**
 * Returns the same steps as {@link makeSteps} for a database of the task itself. Their undo keeps a volume that the
 * database got from another database.
 */
export function makeHiddenSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  const undo = async ({ core, input }: TaskWork<I, BackupsDeps>) => removeOwnVolume(core, of(input));
  return makeSteps(of).map((step) => (step.name === 'volume' ? { ...step, undo } : step));
}

/**
 * Returns the steps of {@link makeHiddenSteps} without the setup, for a verification. The step that fills the database
 * sets it up, and an earlier check has no benefit.
 */
export function makeTrialSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  return makeHiddenSteps(of).filter(({ name }) => name !== setUp.name);
}

/**
 * Returns a step that fills a new database, and that does nothing once the database is made.
 * After a restart of the daemon all steps run again. By then the database may contain data of users.
 */
export function beforeMade<I>(step: Step<I>, of: DatabaseOf<I>): Step<I> {
  return {
    ...step,
    async run(work, signal) {
      if (databaseById(work.core.store, of(work.input))?.state !== 'made') await step.run(work, signal);
    },
  };
}

/** Returns the steps that publish the database to apps. */
export function publishSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  return databaseSteps(of).filter(({ name }) => name === published.name);
}

function databaseSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  // The steps do not depend on the task, so that an empty task suffices.
  return createKind.steps({} as TaskWork<OfDatabase, BackupsDeps>).map((step) => stepOn(step, of));
}

/**
 * Removes the volume that the database was made with. A volume of another database stays, because it contains that
 * database's data.
 */
async function removeOwnVolume(core: BackupsDeps, id: number): Promise<void> {
  const row = databaseById(core.store, id);
  if (row !== undefined && hasOwnVolume(core, row)) await core.engine.removeVolume(row.volume);
}

function hasOwnVolume({ facts }: BackupsDeps, { id, volume }: DatabaseRow): boolean {
  return volume === databaseVolumeName(facts.id, id);
}

/** Removes a database that was made only for this task, with its data. Its row is removed at the end of the task. */
export async function removeMade(core: BackupsDeps, id: number): Promise<void> {
  const row = databaseById(core.store, id);
  if (row === undefined) return;
  // The container is removed without a graceful stop, because its data is not needed.
  if (row.container_id !== null) await core.engine.remove(row.container_id);
  await takeDown(DATABASE, core, row);
  await removeOwnVolume(core, id);
}

/**
 * Removes the row of a database after a failed task, in the transaction that ends the task. If remains exist, the row
 * stays for a later removal.
 */
export function forgetMade(tx: Tx, core: BackupsDeps, id: number, { clean }: Pick<TaskEnd, 'clean'>): void {
  const row = databaseById(tx, id);
  // A database in the trash contains data of users.
  if (row === undefined || row.deleted_at !== null) return;
  if (clean) {
    forgetDatabase(tx, id);
    return;
  }
  // A database with the volume of another database goes to the trash, where users can find its data. Nothing removes
  // that data at once.
  const trashed = () => ({ state: 'made', ...termOf(core, tx, LEFT_DAYS) }) as const;
  setDatabase(tx, id, hasOwnVolume(core, row) ? { state: 'failed' } : trashed(), { change: 'status' });
  core.nudgeDatabases();
}
