/** Steps that several kinds of tasks on databases have in common. Each is about the database of its task's input. */
import type { TaskStep, TaskWork } from '../tasks/kind.ts';
import { ask } from './ask.ts';
import type { DatabaseBase } from './base.ts';
import { bringUp, databaseRow } from './container.ts';
import { DIALECTS } from './dialects/index.ts';
import { settle, untilReady } from './ready.ts';
import { databaseFacts } from './secrets.ts';

export interface OfDatabase {
  /** Its number. */
  database: number;
}

export type DatabaseWork<I extends OfDatabase = OfDatabase> = TaskWork<I, DatabaseBase>;
export type DatabaseStep<I extends OfDatabase = OfDatabase> = TaskStep<I, DatabaseBase>;

interface ContainerState {
  generation: number;
}

/** Has a new container of the same data run, in place of the one before. */
export const newContainer: DatabaseStep = {
  name: 'container',
  run: (work, signal) => bringUp(work.core, work.input.database, generationOf(work), signal),
  // What was there before comes back as the record says, in a generation of its own.
  undo: (work) => bringUp(work.core, work.input.database, generationOf(work) + 1),
};

/** The one that this task makes, whoever asks: chosen once. */
export function generationOf({ core, state, input }: DatabaseWork): number {
  const { generation } = state.get<ContainerState>();
  if (generation !== undefined) return generation;
  const next = databaseRow(core, input.database).generation + 1;
  state.set({ generation: next } satisfies ContainerState);
  return next;
}

export const ready: DatabaseStep = {
  name: 'ready',
  run: ({ core, input, limits }, signal) => untilReady(core, input.database, limits, signal),
};

/** Makes its login, its database and its extensions; of one that has them nothing is changed. */
export const setUp: DatabaseStep = {
  name: 'set-up',
  async run({ core, input }, signal) {
    const row = databaseRow(core, input.database);
    const facts = databaseFacts(core.sealer, row);
    await ask(core.engine, row.container_id ?? '', DIALECTS[row.engine].setUp(facts), facts, signal);
  },
};

export const published: DatabaseStep = {
  name: 'publish',
  run: ({ core, input }) => settle(core, input.database),
};
