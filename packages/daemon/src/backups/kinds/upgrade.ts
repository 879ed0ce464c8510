import type { DatabaseBase } from '../../databases/base.ts';
import { bringUp, databaseRow, takeDown } from '../../databases/container.ts';
import { ready } from '../../databases/steps.ts';
import { nameRecords } from '../../release/names.ts';
import { databaseById, forgetDatabase } from '../../store/managed-database.ts';
import type { TaskKind, TaskStep } from '../../tasks/kind.ts';
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

export const upgradeKind: TaskKind<UpgradeInput, DatabaseBase> = {
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
    // Its volume is the database's own.
    if (databaseById(tx, input.former) !== undefined) forgetDatabase(tx, input.former);
    if (end.status !== 'succeeded') forgetMade(tx, core, input.made, end);
  },
};

const withdraw: TaskStep<UpgradeInput, DatabaseBase> = {
  name: 'withdraw',
  async run({ core, input }) {
    await takeDown(core, databaseRow(core, input.database));
    await core.engine.publishNames(nameRecords(core));
  },
  async undo({ core, input }) {
    await serveAgain(core, input.database);
    await core.engine.publishNames(nameRecords(core));
  },
};

const serveFormer: TaskStep<UpgradeInput, DatabaseBase> = {
  name: 'former-container',
  run: ({ core, input }, signal) => bringUp(core, input.former, 1, signal),
  undo: ({ core, input }) => endOf(core, input.former),
};

const endFormer: TaskStep<UpgradeInput, DatabaseBase> = {
  name: 'former-end',
  run: ({ core, input }) => endOf(core, input.former),
};

async function endOf(core: DatabaseBase, id: number): Promise<void> {
  const row = databaseById(core.store, id);
  if (row !== undefined) await takeDown(core, row);
}
