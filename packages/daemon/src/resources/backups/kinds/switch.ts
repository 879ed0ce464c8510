import type { BackupsDeps } from '../deps.ts';
/**
 * Task steps that replace the data of a database with the data of a second database. The two databases swap their
 * volumes. Then the old data moves to the trash.
 */

import { type DatabaseRow, databaseById, setDatabase } from '../../../db/tables/managed-database.ts';
import { bringUp, takeDown } from '../../../managed-services/container.ts';
import { termOf } from '../../../trash/term.ts';
import { renewLogin } from '../../databases/former.ts';
import { DATABASE, databaseRow } from '../../databases/managed-service.ts';
import { newContainer, published, ready, setUp } from '../../databases/steps.ts';
import type { TaskStep } from '../../tasks/kind.ts';
import { type DatabaseOf, stepOn } from './made.ts';

export interface SwitchInput {
  /**
   * Id of the database that apps use. The task replaces the data of this database with the restored or upgraded data.
   */
  database: number;
  /**
   * Id of the second database, which the task created for the restored or upgraded data. At the end, the two databases
   * swap their data.
   */
  made: number;
  /** Docker name of the volume with the restored or upgraded data. */
  volume: string;
}

type Step<I> = TaskStep<I, BackupsDeps>;

/**
 * Returns whether the two databases have already swapped their volumes. After the swap, the second database has the old
 * data.
 */
function isSwitched({ store }: Pick<BackupsDeps, 'store'>, { database, volume }: SwitchInput): boolean {
  return databaseById(store, database)?.volume === volume;
}

/**
 * Wraps a task step so that it does not run after the two databases have swapped their data. After a restart of the
 * daemon, Davit repeats steps. The second database may then contain data of users.
 */
export function beforeSwitch<I extends SwitchInput>(step: Step<I>): Step<I> {
  return {
    ...step,
    async run(work, signal) {
      if (!isSwitched(work.core, work.input)) await step.run(work, signal);
    },
  };
}

const everybodys: DatabaseOf<SwitchInput> = ({ database }) => database;

/**
 * Returns the task steps that swap the volumes of two databases, so that apps get the new data. If the task fails
 * before the step `published`, Davit can undo the steps.
 * @param replacedBy task that replaces the data, for the reason of the old data in the trash
 */
export function switchSteps<I extends SwitchInput>(replacedBy: 'A restore in place' | 'An upgrade'): Step<I>[] {
  return [
    exchange(),
    stepOn<I>(newContainer, everybodys, 'new-container'),
    stepOn<I>(ready, everybodys, 'new-ready'),
    stepOn<I>(setUp, everybodys, 'new-set-up'),
    // This step cannot be undone. After the step, apps write to the new data, and an undo would delete their changes.
    { ...stepOn<I>(published, everybodys), final: true },
    toTrash(`${replacedBy} replaced this data.`),
  ];
}

function exchange<I extends SwitchInput>(): Step<I> {
  return {
    name: 'switch',
    async run({ core, input }) {
      if (isSwitched(core, input)) return;
      await takeDown(DATABASE, core, databaseRow(core, input.database));
      await takeDown(DATABASE, core, databaseRow(core, input.made));
      exchangeVolumes(core, input);
    },
    async undo({ core, input }) {
      if (isSwitched(core, input)) {
        await takeDown(DATABASE, core, databaseRow(core, input.database));
        exchangeVolumes(core, input);
      }
      await serveAgain(core, input.database);
    },
  };
}

function exchangeVolumes(core: BackupsDeps, { database, made }: SwitchInput): void {
  const { store, now } = core;
  store.tx((tx) => {
    const [one, other] = [databaseById(tx, database), databaseById(tx, made)];
    if (one === undefined || other === undefined)
      throw new Error('the original database or the restored database does not exist anymore');
    /*
     * Do not swap the column `other_logins`. It contains the users of a password rotation, and the rotation belongs to
     * the original database.
     */
    setDatabase(tx, one.id, dataOf(other), { change: 'changed', at: now() });
    /*
     * The old data may contain additional database users. If a user restores the old data from the trash, Davit
     * disables these database users.
     */
    setDatabase(tx, other.id, dataOf(one));
    /*
     * Set a new password for the database with the old data. It is set here, because this database can also be moved to
     * the trash after the task fails.
     */
    renewLogin(core, tx, other.id);
  });
}

/** Returns the columns that two databases swap. Other columns, such as names and database users, are not swapped. */
function dataOf({ volume, version, image, image_id, rules }: DatabaseRow) {
  // Swap the volume and the version together, because an old server cannot read the data of a newer version.
  return { volume, version, image, image_id, rules };
}

/**
 * Starts the container of a database again after the container was removed. If a user stopped the database, the
 * function does nothing.
 */
export async function serveAgain(core: BackupsDeps, id: number): Promise<void> {
  const row = databaseRow(core, id);
  if (row.wanted === 'stopped') return;
  await bringUp(DATABASE, core, id, row.container_id === null ? row.generation + 1 : row.generation);
  if (row.container_id === null) core.nudgeDatabases();
}

/**
 * Returns a task step that moves the old data to the trash. Users can restore the old data until the retention period
 * of the trash ends.
 */
function toTrash<I extends SwitchInput>(reason: string): Step<I> {
  return {
    name: 'keep-former',
    final: true,
    async run({ core, input }) {
      core.store.tx((tx) => {
        const { name } = databaseById(tx, input.database) ?? {};
        if (name === undefined || databaseById(tx, input.made)?.deleted_at !== null) return;
        const term = termOf(core, tx, core.settings().databases.trash_days);
        setDatabase(tx, input.made, { name, state: 'made', ...term, address: null, reason }, { change: 'deleted' });
      });
    },
  };
}
