/** Steps that several kinds of tasks on databases have in common. Each is about the database of its task's input. */
import { runningSteps } from '../residents/steps.ts';
import type { TaskStep, TaskWork } from '../tasks/kind.ts';
import { ask } from './ask.ts';
import type { DatabaseBase, OfDatabase } from './base.ts';
import { DIALECTS } from './dialects/index.ts';
import { DATABASE, databaseRow } from './resident.ts';
import { databaseFacts } from './secrets.ts';

export type DatabaseWork<I extends OfDatabase = OfDatabase> = TaskWork<I, DatabaseBase>;
export type DatabaseStep<I extends OfDatabase = OfDatabase> = TaskStep<I, DatabaseBase>;

export const { newContainer, ready, published } = runningSteps(DATABASE);

/** Makes its login, its database and its extensions; of one that has them nothing is changed. */
export const setUp: DatabaseStep = {
  name: 'set-up',
  async run({ core, input }, signal) {
    const row = databaseRow(core, input.database);
    const facts = databaseFacts(core.sealer, row);
    await ask(core.engine, row.container_id ?? '', DIALECTS[row.engine].setUp(facts), facts, signal);
  },
};
