import type { BackupsDeps } from '../deps.ts';
/**
 * Puts the data that was made for a database in the place of what it has. The two records change volumes, so that names,
 * addresses, logins, attachments and backups stay with the database, and the other record takes what was there to the trash.
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
  /** Everybody's. */
  database: number;
  /** Made for this task, with what is to take its place; on record with the task. */
  made: number;
  /** The volume that was made. */
  volume: string;
}

type Step<I> = TaskStep<I, BackupsDeps>;

/** Whether the new data is in its place: what was made is everybody's then, and the other record has what was there. */
function isSwitched({ store }: Pick<BackupsDeps, 'store'>, { database, volume }: SwitchInput): boolean {
  return databaseById(store, database)?.volume === volume;
}

/**
 * A step that fills what was made. After a restart all steps are taken again, and from the switch on the record that it
 * names has what people wrote.
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

/** From two databases that run to the one with the new data; until its last step all of it can be undone. */
export function switchSteps<I extends SwitchInput>(): Step<I>[] {
  return [
    exchange(),
    stepOn<I>(newContainer, everybodys, 'new-container'),
    stepOn<I>(ready, everybodys, 'new-ready'),
    stepOn<I>(setUp, everybodys, 'new-set-up'),
    // What is new serves by now: to go back would lose what was written since.
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
    if (one === undefined || other === undefined) throw new Error('one of the two databases is gone');
    setDatabase(tx, one.id, dataOf(other), { change: 'changed', at: now() });
    // A rotation that is not over is on the first record: what this server lets in besides ends when it is brought back.
    setDatabase(tx, other.id, dataOf(one));
    // From here on this record may end up in the trash, whatever becomes of the task.
    const { name, environment, project } = one;
    renewLogin(core, tx, { id: other.id, name, environment, project });
  });
}

/** What belongs to the data: an older server could not read it. */
function dataOf({ volume, version, image, image_id, rules }: DatabaseRow) {
  return { volume, version, image, image_id, rules };
}

/** Has what the record says run again, in a container of its own. */
export async function serveAgain(core: BackupsDeps, id: number): Promise<void> {
  const row = databaseRow(core, id);
  if (row.wanted === 'stopped') return;
  await bringUp(DATABASE, core, id, row.container_id === null ? row.generation + 1 : row.generation);
  if (row.container_id === null) core.nudgeDatabases();
}

/** What was there before can be brought back for its term. */
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
