import type { BackupsDeps } from '../deps.ts';
/**
 * Task steps that create or remove a database, for example during a restore. They reuse the steps of the task kind
 * `database.create`.
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
 * Returns the id of one database from the input of a task. A task can use several databases, so each step needs to know
 * its database.
 */
export type DatabaseOf<I> = (input: I) => number;

/**
 * Adapts a task step for one database to a task that has another input.
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

/** Returns the task steps that create an empty, running database. Apps cannot resolve its host name yet. */
export function makeSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  return databaseSteps(of).filter(({ name }) => name !== published.name);
}

/**
 * Returns the task steps that create a temporary, hidden database. If the task fails, the database's own volume is
 * removed.
 */
export function makeHiddenSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  const undo = async ({ core, input }: TaskWork<I, BackupsDeps>) => removeOwnVolume(core, of(input));
  return makeSteps(of).map((step) => (step.name === 'volume' ? { ...step, undo } : step));
}

/**
 * Returns the steps that create a temporary database for a verification. The step `set-up` is missing, because a
 * restore creates the logins.
 */
export function makeTrialSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  return makeHiddenSteps(of).filter(({ name }) => name !== setUp.name);
}

/**
 * Wraps a step that must not change data of users. Steps run again after a daemon restart, when apps may already use
 * the database.
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
 * Returns the task steps that publish the host name of a database in the DNS. Afterwards apps can resolve the host
 * name.
 */
export function publishSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  return databaseSteps(of).filter(({ name }) => name === published.name);
}

function databaseSteps<I>(of: DatabaseOf<I>): Step<I>[] {
  // The steps do not depend on the task, so an empty object is passed to `createKind` instead of a task.
  return createKind.steps({} as TaskWork<OfDatabase, BackupsDeps>).map((step) => stepOn(step, of));
}

/**
 * Removes the volume that Davit created for a database. A volume of another database stays, because it contains that
 * database's data.
 */
async function removeOwnVolume(core: BackupsDeps, id: number): Promise<void> {
  const row = databaseById(core.store, id);
  if (row !== undefined && hasOwnVolume(core, row)) await core.engine.removeVolume(row.volume);
}

function hasOwnVolume({ facts }: BackupsDeps, { id, volume }: DatabaseRow): boolean {
  return volume === databaseVolumeName(facts.id, id);
}

/** Removes a database that exists only for this task, with its data. Its row is removed when the task ends. */
export async function removeMade(core: BackupsDeps, id: number): Promise<void> {
  const row = databaseById(core.store, id);
  if (row === undefined) return;
  // The container is removed without a graceful stop, because the data of the database is not needed.
  if (row.container_id !== null) await core.engine.remove(row.container_id);
  await takeDown(DATABASE, core, row);
  await removeOwnVolume(core, id);
}

/** Removes the row of a new database after a failed task, in the transaction that ends the task. */
export function forgetMade(tx: Tx, core: BackupsDeps, id: number, { clean }: Pick<TaskEnd, 'clean'>): void {
  const row = databaseById(tx, id);
  // A failed task does not remove a database that is already in the trash, because it contains data of users.
  if (row === undefined || row.deleted_at !== null) return;
  // If the container or the volume could not be removed yet, the row stays for a later cleanup.
  if (clean) {
    forgetDatabase(tx, id);
    return;
  }
  // A database that uses another database's volume contains user data. So it goes to the trash and is not deleted.
  const trashed = () => ({ state: 'made', ...termOf(core, tx, LEFT_DAYS) }) as const;
  setDatabase(tx, id, hasOwnVolume(core, row) ? { state: 'failed' } : trashed(), { change: 'status' });
  core.nudgeDatabases();
}
