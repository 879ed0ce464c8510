import { backupById } from '../../../db/tables/backup.ts';
import { segmentsOf } from '../../../db/tables/backup-segment.ts';
import { TaskFailed, type TaskKind, type TaskStep } from '../../tasks/kind.ts';
import { counting } from '../counting.ts';
import { emptied, secured } from '../databases.ts';
import type { BackupsDeps } from '../deps.ts';
import { dumping } from '../tools/dumping.ts';
import { unloggedObjects } from '../tools/postgres-unlogged.ts';
import { type BaseFacts, basesOf } from '../wal/bases.ts';
import { layOut, recovered, removeRecovery } from '../wal/recover.ts';
import { compareStep, type FillState } from './load.ts';
import { beforeMade, forgetMade, makeSteps, publishSteps } from './made.ts';
import { withTaskFailures } from './reasons.ts';

/**
 * Input of the task for the point-in-time recovery of a PostgreSQL database. The task restores the data into a new
 * database.
 */
export interface RestoreToInput {
  /** Id of the new database. The API request that starts the task inserts the row of the database. */
  database: number;
  /** Id of the base backup from which PostgreSQL starts the recovery. */
  backup: number;
  /** Point in time to restore, in milliseconds since the epoch. */
  at: number;
}

const own = ({ database }: RestoreToInput) => database;

export const restoreToKind: TaskKind<RestoreToInput, BackupsDeps> = {
  kind: 'backup.restore-to',
  steps: () =>
    withTaskFailures([
      ...makeSteps(own),
      ...[recover, compareStep(own)].map((step) => beforeMade(step, own)),
      ...publishSteps(own),
    ]),
  ended(tx, { core, input }, end) {
    if (end.status !== 'succeeded') forgetMade(tx, core, input.database, end);
  },
};

const recover: TaskStep<RestoreToInput, BackupsDeps> = {
  name: 'recover',
  async run({ core, input, state, progress, log }, signal) {
    const row = backupById(core.store, input.backup);
    const base = basesOf(core.store, row?.database_id ?? 0).find(({ id }) => id === input.backup);
    if (base === undefined)
      throw new TaskFailed('The base backup for this point in time was deleted. Choose a later point in time.');
    const { place: target, tool } = await emptied(core, input.database, signal);
    await layOut(core, target, { base, segments: logFrom(core, base), at: input.at });
    const { database } = JSON.parse(base.details) as { database: string | null };
    await recovered({ ...target, database }, input.at, async (second) => {
      const unlogged = await unloggedObjects(second);
      if (unlogged.length > 0)
        log(`Point-in-time recovery empties unlogged tables and resets unlogged sequences: ${unlogged.join(', ')}.`);
      await dumping(tool, second, async ({ bytes, head, facts }) => {
        const counted = counting(bytes, (done) => progress(done, null));
        await tool.restore(target, counted, head, log);
        state.set({ facts: await facts() } satisfies Partial<FillState>);
      });
    });
    await secured(core, input.database, signal);
    await removeRecovery(target);
  },
};

function logFrom({ store }: BackupsDeps, base: { database_id: number } & BaseFacts) {
  return segmentsOf(store, base.database_id).filter(({ name }) => {
    const [volume, piece = ''] = name.split('/');
    return volume === base.volume && (piece >= base.from || piece.endsWith('.history'));
  });
}
