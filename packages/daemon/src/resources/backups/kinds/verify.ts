import { DavitError } from '@davit/api';
import { sentence } from '../../../app-spec/sentence.ts';
import { recordVerification } from '../../../db/tables/backup.ts';
import { TaskFailed, type TaskKind, type TaskStep } from '../../tasks/kind.ts';
import type { BackupsDeps } from '../deps.ts';
import { DestinationUnavailable } from '../destination.ts';
import { compareStep, loadStep } from './load.ts';
import { forgetMade, makeTrialSteps, removeMade } from './made.ts';
import { asTaskFailure, withTaskFailures } from './reasons.ts';

/**
 * Input of the task that verifies a backup. The task restores the backup into a temporary database and compares the
 * content. Then the task removes the temporary database.
 */
export interface VerifyInput {
  backup: number;
  /** Id of the temporary database. `verifyBackup` inserts the row of the database together with the task. */
  database: number;
}

const own = ({ database }: VerifyInput) => database;

export const verifyKind: TaskKind<VerifyInput, BackupsDeps> = {
  kind: 'backup.verify',
  steps: () =>
    withTaskFailures([
      ...makeTrialSteps<VerifyInput>(own),
      judged(loadStep<VerifyInput>(own, { isTrial: true })),
      judged(compareStep(own, { isTrial: true })),
      remove,
    ]),
  ended: (tx, { core, input }, end) => forgetMade(tx, core, input.database, end),
};

/**
 * Saves that the verification of a backup was successful, and then removes the temporary database. If the removal
 * fails, the result of the verification is still saved.
 */
const remove: TaskStep<VerifyInput, BackupsDeps> = {
  name: 'remove',
  final: true,
  async run({ core, input }) {
    core.store.tx((tx) => recordVerification(tx, input.backup, null, core.now()));
    await removeMade(core, input.database);
  },
};

/**
 * Wraps a step of a backup verification. If the backup causes an error, the error is saved as the result of the
 * verification.
 */
function judged(step: TaskStep<VerifyInput, BackupsDeps>): TaskStep<VerifyInput, BackupsDeps> {
  return {
    ...step,
    async run(work, signal) {
      try {
        await step.run(work, signal);
      } catch (error) {
        const reason = asTaskFailure(error);
        // Do not save an error of Docker or of the backup destination, because the backup may still be good.
        if (!signal.aborted && isOfBackup(error, reason)) {
          const { core, input } = work;
          const why = sentence((reason as Error).message);
          core.store.tx((tx) => recordVerification(tx, input.backup, why, core.now()));
        }
        throw reason;
      }
    },
  };
}

function isOfBackup(error: unknown, reason: unknown): boolean {
  if (error instanceof DestinationUnavailable) return false;
  return reason instanceof TaskFailed || (reason instanceof DavitError && reason.code === 'conflict');
}
