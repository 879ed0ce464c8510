import { nameRecords } from '../../../app-spec/names.ts';
import { databaseById, forgetDatabase } from '../../../db/tables/managed-database.ts';
import { bringUp, takeDown } from '../../../managed-services/container.ts';
import { DATABASE, databaseRow } from '../../databases/managed-service.ts';
import { ready } from '../../databases/steps.ts';
import { TaskFailed, type TaskKind, type TaskStep } from '../../tasks/kind.ts';
import { answering } from '../databases.ts';
import type { BackupsDeps } from '../deps.ts';
import { compareStep, copyStep } from './load.ts';
import { forgetMade, makeHiddenSteps, stepOn } from './made.ts';
import { withTaskFailures } from './reasons.ts';
import { beforeSwitch, type SwitchInput, serveAgain, switchSteps } from './switch.ts';

/**
 * Input of the task that upgrades a database. The task copies the data to a server with the new version. Apps must not
 * write to the database during the copy, because their changes would be lost.
 */
export interface UpgradeInput extends SwitchInput {
  /**
   * Id of a temporary database without its own volume. During the copy, the server of this database reads the original
   * volume. Apps do not know the address of this server.
   */
  former: number;
}

const made = ({ made: database }: UpgradeInput) => database;
const former = ({ former: database }: UpgradeInput) => database;

export const upgradeKind: TaskKind<UpgradeInput, BackupsDeps> = {
  kind: 'database.upgrade',
  steps: () =>
    withTaskFailures([
      ...[
        /*
         * First create the new database, because this can take long or fail. Until the copy starts, apps can use the
         * old database.
         */
        ...makeHiddenSteps<UpgradeInput>(made),
        withdraw,
        serveFormer,
        stepOn<UpgradeInput>(ready, former, 'former-ready'),
        copyStep(former, made),
        compareStep(made),
        endFormer,
      ].map(beforeSwitch),
      ...switchSteps<UpgradeInput>('An upgrade'),
    ]),
  ended(tx, { core, input }, end) {
    // Delete the database row after the container is removed, because Davit needs the row to stop the container.
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

/**
 * Checks that the server of the database has no other databases, because an upgrade copies only one database.
 * @throws TaskFailed
 */
async function demandAlone(core: BackupsDeps, id: number, signal: AbortSignal): Promise<void> {
  const { tool, place, row } = await answering(core, id, signal);
  const others = (await tool.besides?.(place)) ?? [];
  if (others.length === 0) return;
  const message = `The upgrade would lose other databases on the same server: ${others.join(', ')}. Move their data into ${row.database}, or drop them, then start the upgrade again.`;
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
