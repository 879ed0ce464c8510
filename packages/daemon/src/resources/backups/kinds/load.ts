/** Task steps that restore data into a database and then check the data. An earlier task step created the database. */
import { type BackupRow, backupById } from '../../../db/tables/backup.ts';
import { TaskFailed, type TaskStep, type TaskWork } from '../../tasks/kind.ts';
import { counting } from '../counting.ts';
import { type Answering, answering, emptied, secured, setUpDatabase } from '../databases.ts';
import type { BackupsDeps } from '../deps.ts';
import { openBackup } from '../open.ts';
import { difference } from '../tools/counts.ts';
import { dumping } from '../tools/dumping.ts';
import type { DumpFacts } from '../tools/tool.ts';
import type { DatabaseOf } from './made.ts';

/** State of a restore task. Several steps of the task read and change this state. */
export interface FillState {
  /** Expected number of rows or objects in each part of the restored database. */
  facts: DumpFacts;
  /** Whether the task has started to write to the restored database. If it has, the database may contain data. */
  isBegun: boolean;
}

type FillStep<I> = TaskStep<I, BackupsDeps>;

interface Use {
  /**
   * Whether the database is temporary. Apps never connect to a temporary database, so its passwords and permissions are
   * not set again after the restore.
   */
  isTrial?: boolean;
}

/** Returns a task step that restores a backup into a new database. */
export function loadStep<I extends { backup: number }>(into: DatabaseOf<I>, { isTrial }: Use = {}): FillStep<I> {
  return {
    name: 'load',
    async run(work, signal) {
      const { core, input, state, progress, log } = work;
      const row = demandBackup(core, input.backup);
      const { tool, place: target } = await ready(work, into, signal);
      const facts = factsOf(row);
      const dump = counting(await openBackup(core, row, signal), (done) => progress(done, row.dump_bytes, 'bytes'));
      await tool.restore(target, dump, facts, log);
      if (!isTrial) await secured(core, into(input), signal);
      state.set({ facts } satisfies Partial<FillState>);
    },
  };
}

/**
 * Returns a task step that copies the current content of a database into another database. This step stores no backup.
 */
export function copyStep<I>(from: DatabaseOf<I>, into: DatabaseOf<I>): FillStep<I> {
  return {
    name: 'copy',
    async run(work, signal) {
      const { core, state, progress, log } = work;
      const source = await answering(core, from(work.input), signal);
      const { tool, place: target } = await ready(work, into, signal);
      await dumping(tool, source.place, async ({ bytes, head, facts }) => {
        const counted = counting(bytes, (done) => progress(done, null, 'bytes'));
        await tool.restore(target, counted, head, log);
        state.set({ facts: await facts() } satisfies Partial<FillState>);
      });
      await secured(core, into(work.input), signal);
    },
  };
}

/**
 * Returns the target database of the task step. A restart of the daemon may have interrupted an earlier run of the
 * step. In this case, the function first deletes the content of the database.
 */
async function ready<I>(
  { core, input, state }: TaskWork<I, BackupsDeps>,
  into: DatabaseOf<I>,
  signal: AbortSignal,
): Promise<Answering> {
  if (state.get<FillState>().isBegun) return emptied(core, into(input), signal);
  state.set({ isBegun: true } satisfies Partial<FillState>);
  return setUpDatabase(core, into(input), signal);
}

/** Returns a task step that compares the number of rows or objects in a restored database with the expected number. */
export function compareStep<I>(of: DatabaseOf<I>, { isTrial }: Use = {}): FillStep<I> {
  return {
    name: 'compare',
    async run(work, signal) {
      const { tool, place: target } = await answering(work.core, of(work.input), signal);
      const { facts } = work.state.get<FillState>();
      const missing = difference(facts?.counts ?? {}, await tool.count(target, isTrial));
      if (missing !== null) throw new TaskFailed(`The restored data differs from the backup: ${missing}.`);
    },
  };
}

/** Returns a successful backup by its id. @throws TaskFailed if the backup was deleted or is incomplete */
function demandBackup(core: BackupsDeps, id: number): BackupRow {
  const row = backupById(core.store, id);
  if (row?.status === 'succeeded') return row;
  throw new TaskFailed(`Backup ${id} was deleted during the task. Choose another backup.`);
}

function factsOf({ facts }: BackupRow): DumpFacts {
  return facts === null ? { counts: {} } : (JSON.parse(facts) as DumpFacts);
}
