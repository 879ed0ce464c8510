import type { BackupsDeps } from '../deps.ts';
/** Steps that fill a database which an earlier step has made for it, whatever is to become of that. */

import { type BackupRow, backupById } from '../../../db/tables/backup.ts';
import { TaskFailed, type TaskStep, type TaskWork } from '../../tasks/kind.ts';
import { counting } from '../counting.ts';
import { type Answering, answering, emptied, secured, setUpDatabase } from '../databases.ts';
import { openBackup } from '../open.ts';
import { difference } from '../tools/counts.ts';
import { dumping } from '../tools/dumping.ts';
import type { DumpFacts } from '../tools/tool.ts';
import type { DatabaseOf } from './made.ts';

/** What the steps of one task tell each other. */
export interface FillState {
  /** What there must be when it is filled. */
  facts: DumpFacts;
  /** Something may be in it from here on. */
  isBegun: boolean;
}

type FillStep<I> = TaskStep<I, BackupsDeps>;

/** Reads a backup in. */
export function loadStep<I extends { backup: number }>(into: DatabaseOf<I>): FillStep<I> {
  return {
    name: 'load',
    async run(work, signal) {
      const { core, input, state, progress } = work;
      const row = demandBackup(core, input.backup);
      const { tool, place } = await ready(work, into, signal);
      const facts = factsOf(row);
      const dump = counting(await openBackup(core, row, signal), (done) => progress(done, row.dump_bytes, 'bytes'));
      await tool.restore(place, dump, facts);
      await secured(core, into(input), signal);
      state.set({ facts } satisfies Partial<FillState>);
    },
  };
}

/** Reads in what another database has now; nothing is kept in between. */
export function copyStep<I>(from: DatabaseOf<I>, into: DatabaseOf<I>): FillStep<I> {
  return {
    name: 'copy',
    async run(work, signal) {
      const { core, state, progress } = work;
      const source = await answering(core, from(work.input), signal);
      const { tool, place } = await ready(work, into, signal);
      await dumping(tool, source.place, async ({ bytes, head, facts }) => {
        const counted = counting(bytes, (done) => progress(done, null, 'bytes'));
        await tool.restore(place, counted, head);
        state.set({ facts: await facts() } satisfies Partial<FillState>);
      });
      await secured(core, into(work.input), signal);
    },
  };
}

/** The database to be filled; emptied only where this step was begun before. */
async function ready<I>(
  { core, input, state }: TaskWork<I, BackupsDeps>,
  into: DatabaseOf<I>,
  signal: AbortSignal,
): Promise<Answering> {
  if (state.get<FillState>().isBegun) return emptied(core, into(input), signal);
  state.set({ isBegun: true } satisfies Partial<FillState>);
  return setUpDatabase(core, into(input), signal);
}

/** Counts what is there against what there was. */
export function compareStep<I>(of: DatabaseOf<I>): FillStep<I> {
  return {
    name: 'compare',
    async run(work, signal) {
      const { tool, place } = await answering(work.core, of(work.input), signal);
      const { facts } = work.state.get<FillState>();
      const missing = difference(facts?.counts ?? {}, await tool.count(place));
      if (missing !== null) throw new TaskFailed(`What was restored is not what was backed up: ${missing}.`);
    },
  };
}

/** @throws TaskFailed for one that is gone, or was never whole */
function demandBackup(core: BackupsDeps, id: number): BackupRow {
  const row = backupById(core.store, id);
  if (row?.status === 'succeeded') return row;
  throw new TaskFailed(`Backup ${id} is not there any more: take another one.`);
}

function factsOf({ facts }: BackupRow): DumpFacts {
  return facts === null ? { counts: {} } : (JSON.parse(facts) as DumpFacts);
}
