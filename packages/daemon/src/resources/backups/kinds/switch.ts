import type { BackupsDeps } from '../deps.ts';
/**
 * Task steps that replace the data of a database with data from a second database. The two database rows exchange their
 * volumes. Names, addresses, logins, attachments and backups stay with the first row. The second row takes the previous
 * data to the trash.
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
  /** Number of the database that apps use. */
  database: number;
  /** Number of the database with the new data, which was created for this task. */
  made: number;
  /** Name of the volume with the new data. */
  volume: string;
}

type Step<I> = TaskStep<I, BackupsDeps>;

/** Returns whether the volumes are exchanged. Then apps use the new data, and the row `made` has the previous data. */
function isSwitched({ store }: Pick<BackupsDeps, 'store'>, { database, volume }: SwitchInput): boolean {
  return databaseById(store, database)?.volume === volume;
}

/**
 * Wraps a task step so that it does nothing after the switch. All steps of a task run again after a restart of the
 * daemon. After the switch, the row `made` contains the previous data of users.
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

/** Returns the task steps that switch a database to the new data. All steps before `published` can be undone. */
export function switchSteps<I extends SwitchInput>(): Step<I>[] {
  return [
    exchange(),
    stepOn<I>(newContainer, everybodys, 'new-container'),
    stepOn<I>(ready, everybodys, 'new-ready'),
    stepOn<I>(setUp, everybodys, 'new-set-up'),
    // Apps write to the new data from here on. An undo would lose these changes.
    { ...stepOn<I>(published, everybodys), final: true },
    toTrash(),
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
      throw new Error('the restored database, or the database that it replaces, does not exist anymore');
    setDatabase(tx, one.id, dataOf(other), { change: 'changed', at: now() });
    // The column `other_logins` is not exchanged, because an unfinished rotation belongs to the first database. A
    // restore of the previous data from the trash ends the other logins on that server.
    setDatabase(tx, other.id, dataOf(one));
    // From here on the row `made` may end in the trash, whatever the result of the task is. So it needs its own
    // password.
    const { name, environment, project } = one;
    renewLogin(core, tx, { id: other.id, name, environment, project });
  });
}

/**
 * Returns the columns that describe the data of a database. The version is one of them, because a server of an older
 * version could not read the data.
 */
function dataOf({ volume, version, image, image_id, rules }: DatabaseRow) {
  return { volume, version, image, image_id, rules };
}

/** Starts the server of a database again after its container was removed, unless a user stopped the database. */
export async function serveAgain(core: BackupsDeps, id: number): Promise<void> {
  const row = databaseRow(core, id);
  if (row.wanted === 'stopped') return;
  await bringUp(DATABASE, core, id, row.container_id === null ? row.generation + 1 : row.generation);
  if (row.container_id === null) core.nudgeDatabases();
}

/** Returns a task step that moves the previous data to the trash, where users can restore it until it expires. */
function toTrash<I extends SwitchInput>(): Step<I> {
  return {
    name: 'keep-former',
    final: true,
    async run({ core, input }) {
      core.store.tx((tx) => {
        const { name } = databaseById(tx, input.database) ?? {};
        if (name === undefined || databaseById(tx, input.made)?.deleted_at !== null) return;
        const term = termOf(core, tx, core.settings().databases.trash_days);
        setDatabase(tx, input.made, { name, state: 'made', ...term, address: null }, { change: 'deleted' });
      });
    },
  };
}
