import { sentence } from '../../../app-spec/sentence.ts';
import { backupById, failBackup } from '../../../db/tables/backup.ts';
import { databaseRow } from '../../databases/managed-service.ts';
import type { TaskKind, TaskStep } from '../../tasks/kind.ts';
import type { BackupsDeps } from '../deps.ts';
import { removeKept } from '../open.ts';
import { ToolFailed } from '../tools/program.ts';
import { compareStep, loadStep } from './load.ts';
import { forgetMade, makeHiddenSteps } from './made.ts';
import { withTaskFailures } from './reasons.ts';
import { beforeSwitch, type SwitchInput, switchSteps } from './switch.ts';
import { writeBackup } from './take.ts';

/**
 * Input of the task that restores a backup in place. The task first restores the backup into a second database. Then
 * the two databases swap their data.
 */
export interface RestoreInPlaceInput extends SwitchInput {
  backup: number;
  /**
   * Id of a backup of the current data. The value is `null` if the database is not running. In this case, the old data
   * is only in the trash after the restore.
   */
  safety: number | null;
}

const made = ({ made: database }: RestoreInPlaceInput) => database;

/**
 * Restores a backup in place. Apps can use the database until its data is swapped with the restored data. If a step
 * fails, the database keeps its current data.
 */
export const restoreInPlaceKind: TaskKind<RestoreInPlaceInput, BackupsDeps> = {
  kind: 'backup.restore-in-place',
  steps: () =>
    withTaskFailures([
      ...[safety, ...makeHiddenSteps<RestoreInPlaceInput>(made), loadStep(made), compareStep(made)].map(beforeSwitch),
      ...switchSteps<RestoreInPlaceInput>('A restore in place'),
    ]),
  ended(tx, { core, input }, end) {
    if (end.status === 'succeeded') return;
    forgetMade(tx, core, input.made, end);
    if (input.safety === null || backupById(tx, input.safety)?.status !== 'taking') return;
    failBackup(
      tx,
      input.safety,
      'This backup is incomplete, because the restore that started it failed or was canceled.',
      core.now(),
    );
  },
};

const safety: TaskStep<RestoreInPlaceInput, BackupsDeps> = {
  name: 'back-up',
  async run(work, signal) {
    const { core, input, log } = work;
    if (input.safety === null)
      return log(
        `${databaseRow(core, input.database).name} is not running, so Davit does not back up its current data.`,
      );
    try {
      await writeBackup(work, input.safety, signal);
    } catch (error) {
      /*
       * If the backup of the current data fails, continue with the restore. Users often restore a backup because the
       * current data is damaged.
       */
      if (!(error instanceof ToolFailed)) throw error;
      const why = sentence(error.message);
      core.store.tx((tx) => failBackup(tx, input.safety ?? 0, why, core.now()));
      log(`The current data could not be backed up, so Davit keeps the current data only in the trash. ${why}`);
    }
  },
  /**
   * Removes an unfinished backup of the current data. A finished backup is not removed, because users may need the old
   * data.
   */
  async undo({ core, input }) {
    const row = input.safety === null ? undefined : backupById(core.store, input.safety);
    if (row?.status === 'taking') await removeKept(core, row);
  },
};
