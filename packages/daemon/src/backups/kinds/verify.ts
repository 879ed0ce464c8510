import { DavitError } from '@davit/api';
import type { DatabaseBase } from '../../databases/base.ts';
import { sentence } from '../../release/sentence.ts';
import { recordVerification } from '../../store/backup.ts';
import { TaskFailed, type TaskKind, type TaskStep } from '../../tasks/kind.ts';
import { EnvelopeBroken } from '../envelope/header.ts';
import { ToolFailed } from '../tools/program.ts';
import { compareStep, loadStep } from './load.ts';
import { forgetMade, makeHiddenSteps, removeMade } from './made.ts';

/** Restores a backup into a database that nobody finds, counts what is there, and takes it away again. */
export interface VerifyInput {
  backup: number;
  /** On record with the task. */
  database: number;
}

const own = ({ database }: VerifyInput) => database;

export const verifyKind: TaskKind<VerifyInput, DatabaseBase> = {
  kind: 'backup.verify',
  steps: () => [
    ...makeHiddenSteps<VerifyInput>(own),
    judged(loadStep<VerifyInput>(own)),
    judged(compareStep(own)),
    remove,
  ],
  ended(tx, { core, input }, end) {
    if (end.status !== 'succeeded') return forgetMade(tx, core, input.database, end);
    recordVerification(tx, input.backup, null, core.now());
  },
};

const remove: TaskStep<VerifyInput, DatabaseBase> = {
  name: 'remove',
  run: ({ core, input }) => removeMade(core, input.database),
};

/** What goes wrong with what the backup has is on record with it; an engine that went away says nothing of the backup. */
function judged(step: TaskStep<VerifyInput, DatabaseBase>): TaskStep<VerifyInput, DatabaseBase> {
  return {
    ...step,
    async run(work, signal) {
      try {
        await step.run(work, signal);
      } catch (error) {
        if (!signal.aborted && isOfBackup(error)) {
          const { core, input } = work;
          const why = sentence((error as Error).message);
          core.store.tx((tx) => recordVerification(tx, input.backup, why, core.now()));
        }
        throw error;
      }
    },
  };
}

function isOfBackup(error: unknown): boolean {
  const isBroken = error instanceof ToolFailed || error instanceof EnvelopeBroken || error instanceof TaskFailed;
  return isBroken || (error instanceof DavitError && error.code === 'conflict');
}
