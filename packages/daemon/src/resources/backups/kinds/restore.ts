import type { BackupsDeps } from '../deps.ts';
/**
 * Kinds of tasks that create a database from a backup or from another database. Until all data is restored, the new
 * database has no host name, so apps cannot connect to the database.
 */

import type { TaskKind } from '../../tasks/kind.ts';
import { compareStep, copyStep, loadStep } from './load.ts';
import { beforeMade, forgetMade, makeSteps, publishSteps } from './made.ts';
import { withTaskFailures } from './reasons.ts';

export interface RestoreInput {
  /** Id of the new database. The API request that starts the task inserts the row of the database. */
  database: number;
  backup: number;
}

export interface CloneInput {
  /** Id of the new database. The API request that starts the task inserts the row of the database. */
  database: number;
  source: number;
}

const own = ({ database }: { database: number }) => database;

export const restoreBackupKind: TaskKind<RestoreInput, BackupsDeps> = {
  kind: 'backup.restore',
  steps: () =>
    withTaskFailures([
      ...makeSteps<RestoreInput>(own),
      beforeMade(loadStep<RestoreInput>(own), own),
      beforeMade(compareStep<RestoreInput>(own), own),
      ...publishSteps<RestoreInput>(own),
    ]),
  ended(tx, { core, input }, end) {
    if (end.status !== 'succeeded') forgetMade(tx, core, input.database, end);
  },
};

export const cloneKind: TaskKind<CloneInput, BackupsDeps> = {
  kind: 'database.clone',
  steps: () =>
    withTaskFailures([
      ...makeSteps<CloneInput>(own),
      beforeMade(
        copyStep<CloneInput>(({ source }) => source, own),
        own,
      ),
      beforeMade(compareStep<CloneInput>(own), own),
      ...publishSteps<CloneInput>(own),
    ]),
  ended(tx, { core, input }, end) {
    if (end.status !== 'succeeded') forgetMade(tx, core, input.database, end);
  },
};
