import { sentence } from '../../../app-spec/sentence.ts';
import { backupById, failBackup } from '../../../db/tables/backup.ts';
import { databaseRow } from '../../databases/resident.ts';
import type { TaskKind, TaskStep } from '../../tasks/kind.ts';
import type { BackupsDeps } from '../deps.ts';
import { removeKept } from '../open.ts';
import { ToolFailed } from '../tools/program.ts';
import { compareStep, loadStep } from './load.ts';
import { forgetMade, makeHiddenSteps } from './made.ts';
import { tellingWhy } from './reasons.ts';
import { beforeSwitch, type SwitchInput, switchSteps } from './switch.ts';
import { writeBackup } from './take.ts';

/**
 * What a database has is backed up, the backup is restored beside it, and it is switched over: it serves until then, and
 * goes on with what it had when anything fails.
 */
export interface RestoreInPlaceInput extends SwitchInput {
  backup: number;
  /** The backup of what there is now, on record with the task; null: it does not run, and its data is in the trash alone. */
  safety: number | null;
}

const made = ({ made: database }: RestoreInPlaceInput) => database;

export const restoreInPlaceKind: TaskKind<RestoreInPlaceInput, BackupsDeps> = {
  kind: 'backup.restore-in-place',
  steps: () =>
    tellingWhy([
      ...[safety, ...makeHiddenSteps<RestoreInPlaceInput>(made), loadStep(made), compareStep(made)].map(beforeSwitch),
      ...switchSteps<RestoreInPlaceInput>(),
    ]),
  ended(tx, { core, input }, end) {
    if (end.status === 'succeeded') return;
    forgetMade(tx, core, input.made, end);
    if (input.safety === null || backupById(tx, input.safety)?.status !== 'taking') return;
    failBackup(tx, input.safety, 'The restore that it was taken for ended before.', core.now());
  },
};

const safety: TaskStep<RestoreInPlaceInput, BackupsDeps> = {
  name: 'back-up',
  async run(work, signal) {
    const { core, input, log } = work;
    if (input.safety === null)
      return log(`${databaseRow(core, input.database).name} does not run: nothing is backed up.`);
    try {
      await writeBackup(work, input.safety, signal);
    } catch (error) {
      // What cannot be written out any more is why somebody restores; it is in the trash afterwards as it is.
      if (!(error instanceof ToolFailed)) throw error;
      const why = sentence(error.message);
      core.store.tx((tx) => failBackup(tx, input.safety ?? 0, why, core.now()));
      log(`What there is now could not be backed up, and goes to the trash alone: ${why}`);
    }
  },
  /** One that succeeded stays: somebody was about to replace what it has. */
  async undo({ core, input }) {
    const row = input.safety === null ? undefined : backupById(core.store, input.safety);
    if (row?.status === 'taking') await removeKept(core, row);
  },
};
