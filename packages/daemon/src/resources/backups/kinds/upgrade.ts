import { nameRecords } from '../../../app-spec/names.ts';
import { databaseById, forgetDatabase } from '../../../db/tables/managed-database.ts';
import { bringUp, takeDown } from '../../../managed-services/container.ts';
import { DATABASE, databaseRow } from '../../databases/resident.ts';
import { ready } from '../../databases/steps.ts';
import { TaskFailed, type TaskKind, type TaskStep } from '../../tasks/kind.ts';
import { answering } from '../databases.ts';
import type { BackupsDeps } from '../deps.ts';
import { compareStep, copyStep } from './load.ts';
import { forgetMade, makeHiddenSteps, stepOn } from './made.ts';
import { tellingWhy } from './reasons.ts';
import { beforeSwitch, type SwitchInput, serveAgain, switchSteps } from './switch.ts';

/**
 * Nobody may write while what a database has goes over to another version: what came after the copy would be lost. So it is
 * taken away from everybody first, and its data is served to the copy alone, under no name and at another address.
 */
export interface UpgradeInput extends SwitchInput {
  /** Serves the old data meanwhile; on record with the task, and never with data of its own. */
  former: number;
}

const made = ({ made: database }: UpgradeInput) => database;
const former = ({ former: database }: UpgradeInput) => database;

export const upgradeKind: TaskKind<UpgradeInput, BackupsDeps> = {
  kind: 'database.upgrade',
  steps: () =>
    tellingWhy([
      ...[
        // What may take long or go wrong comes before anything is taken away from anybody.
        ...makeHiddenSteps<UpgradeInput>(made),
        withdraw,
        serveFormer,
        stepOn<UpgradeInput>(ready, former, 'former-ready'),
        copyStep(former, made),
        compareStep(made),
        endFormer,
      ].map(beforeSwitch),
      ...switchSteps<UpgradeInput>(),
    ]),
  ended(tx, { core, input }, end) {
    // Its volume is the database's own. One that could not be ended stays on record, so that nothing else writes there.
    if (databaseById(tx, input.former)?.container_id === null) forgetDatabase(tx, input.former);
    if (end.status !== 'succeeded') forgetMade(tx, core, input.made, end);
  },
};

const withdraw: TaskStep<UpgradeInput, BackupsDeps> = {
  name: 'withdraw',
  async run({ core, input }, signal) {
    const row = databaseRow(core, input.database);
    if (row.container_id !== null) await demandAlone(core, row.id, signal);
    await takeDown(DATABASE, core, row);
    await core.engine.publishNames(nameRecords(core));
  },
  async undo({ core, input }) {
    await serveAgain(core, input.database);
    await core.engine.publishNames(nameRecords(core));
  },
};

/** The copy is of one database. @throws TaskFailed naming those that would stay behind */
async function demandAlone(core: BackupsDeps, id: number, signal: AbortSignal): Promise<void> {
  const { tool, place, row } = await answering(core, id, signal);
  const others = (await tool.besides?.(place)) ?? [];
  if (others.length === 0) return;
  const message = `Further databases have been made on its server, which would stay behind: ${others.join(', ')}. Move what they have into ${row.database}, or drop them, then ask again.`;
  throw new TaskFailed(message);
}

const serveFormer: TaskStep<UpgradeInput, BackupsDeps> = {
  name: 'former-container',
  run: ({ core, input }, signal) => bringUp(DATABASE, core, input.former, 1, signal),
  undo: ({ core, input }) => endOf(core, input.former),
};

const endFormer: TaskStep<UpgradeInput, BackupsDeps> = {
  name: 'former-end',
  run: ({ core, input }) => endOf(core, input.former),
};

async function endOf(core: BackupsDeps, id: number): Promise<void> {
  const row = databaseById(core.store, id);
  if (row !== undefined) await takeDown(DATABASE, core, row);
}
