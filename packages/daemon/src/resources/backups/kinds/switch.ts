import type { BackupsDeps } from '../deps.ts';
/**
 * Replaces the data of a database with data that was made for it.
 * The two rows exchange their volumes. Names, addresses, logins, attachments and backups stay with the database, and
 * the other row takes the previous data to the trash.
 */

import { type DatabaseRow, databaseById, setDatabase } from '../../../db/tables/managed-database.ts';
import { bringUp, takeDown } from '../../../managed-services/container.ts';
import { termOf } from '../../../trash/term.ts';
import { renewLogin } from '../../databases/former.ts';
import { DATABASE, databaseRow } from '../../databases/resident.ts';
import { newContainer, published, ready, setUp } from '../../databases/steps.ts';
import type { TaskStep } from '../../tasks/kind.ts';
import { type DatabaseOf, stepOn } from './made.ts';

export interface SwitchInput {
  /** Database that apps use. */
  database: number;
  /** Database with the new data, made for this task and recorded with the task. */
  made: number;
  /** Volume with the new data. */
  volume: string;
}

type Step<I> = TaskStep<I, BackupsDeps>;

/** Returns whether the volumes are exchanged. Then apps use the new data, and the other row has the previous data. */
function isSwitched({ store }: Pick<BackupsDeps, 'store'>, { database, volume }: SwitchInput): boolean {
  return databaseById(store, database)?.volume === volume;
}

/**
 * Returns a step that fills the new database, and that does nothing after the switch.
 * After a restart of the daemon all steps run again. After the switch, the row in `made` has the data of users.
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
 * Returns the steps from two running databases to one database with the new data. All steps before `published` can be
 * undone.
 */
export function switchSteps<I extends SwitchInput>(): Step<I>[] {
  return [
    exchange(),
    stepOn<I>(newContainer, everybodys, 'new-container'),
    stepOn<I>(ready, everybodys, 'new-ready'),
    stepOn<I>(setUp, everybodys, 'new-set-up'),
    // The new data is in use now. An undo would lose all later changes.
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
    if (one === undefined || other === undefined) throw new Error('one of the two databases does not exist any more');
    setDatabase(tx, one.id, dataOf(other), { change: 'changed', at: now() });
    // An unfinished rotation belongs to the first row. Its further logins end on this server if the server is restored
    // from the trash.
    setDatabase(tx, other.id, dataOf(one));
    // From here on this row may end in the trash, whatever the result of the task is.
    const { name, environment, project } = one;
    renewLogin(core, tx, { id: other.id, name, environment, project });
  });
}

/** Returns the columns that belong to the data. An older server could not read the data. */
function dataOf({ volume, version, image, image_id, rules }: DatabaseRow) {
  return { volume, version, image, image_id, rules };
}

/** Starts the database of a row again, in a container of its own. */
export async function serveAgain(core: BackupsDeps, id: number): Promise<void> {
  const row = databaseRow(core, id);
  if (row.wanted === 'stopped') return;
  await bringUp(DATABASE, core, id, row.container_id === null ? row.generation + 1 : row.generation);
  if (row.container_id === null) core.nudgeDatabases();
}

/** Returns a step that moves the previous data to the trash, where users can restore it until it expires. */
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
