/** A new database with what another one had or has. It is found by its name when all of it is there, and not before. */
import type { DatabaseBase } from '../../databases/base.ts';
import type { TaskKind } from '../../tasks/kind.ts';
import { compareStep, copyStep, loadStep } from './load.ts';
import { forgetMade, makeSteps, publishSteps } from './made.ts';
import { tellingWhy } from './reasons.ts';

export interface RestoreInput {
  /** The new one, on record with the task. */
  database: number;
  backup: number;
}

export interface CloneInput {
  /** The new one, on record with the task. */
  database: number;
  source: number;
}

const own = ({ database }: { database: number }) => database;

export const restoreBackupKind: TaskKind<RestoreInput, DatabaseBase> = {
  kind: 'backup.restore',
  steps: () =>
    tellingWhy([
      ...makeSteps<RestoreInput>(own),
      loadStep<RestoreInput>(own),
      compareStep<RestoreInput>(own),
      ...publishSteps<RestoreInput>(own),
    ]),
  ended(tx, { core, input }, end) {
    if (end.status !== 'succeeded') forgetMade(tx, core, input.database, end);
  },
};

export const cloneKind: TaskKind<CloneInput, DatabaseBase> = {
  kind: 'database.clone',
  steps: () =>
    tellingWhy([
      ...makeSteps<CloneInput>(own),
      copyStep<CloneInput>(({ source }) => source, own),
      compareStep<CloneInput>(own),
      ...publishSteps<CloneInput>(own),
    ]),
  ended(tx, { core, input }, end) {
    if (end.status !== 'succeeded') forgetMade(tx, core, input.database, end);
  },
};
