/** Steps that several kinds of tasks on databases have in common. Each is about the database of its task's input. */
import { runningSteps } from '../../managed-services/steps.ts';
import type { TaskStep, TaskWork } from '../tasks/kind.ts';
import type { OfDatabase } from './base.ts';
import type { DatabasesDeps } from './deps.ts';
import { DATABASE } from './resident.ts';
import { say } from './tell.ts';

export type DatabaseWork<I extends OfDatabase = OfDatabase> = TaskWork<I, DatabasesDeps>;
export type DatabaseStep<I extends OfDatabase = OfDatabase> = TaskStep<I, DatabasesDeps>;

export const { newContainer, ready, published } = runningSteps(DATABASE);

/** Makes its login, its database and its extensions; of one that has them nothing is changed. */
export const setUp: DatabaseStep = {
  name: 'set-up',
  async run({ core, input }, signal) {
    await say(core, input.database, { words: (dialect, facts) => dialect.setUp(facts) }, signal);
  },
};
