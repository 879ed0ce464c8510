/** Steps that several kinds of tasks on databases share. Each step acts on the database of its task's input. */
import { runningSteps } from '../../managed-services/steps.ts';
import { TaskFailed, type TaskStep, type TaskWork } from '../tasks/kind.ts';
import { AskFailed } from './ask.ts';
import type { OfDatabase } from './base.ts';
import type { DatabasesDeps } from './deps.ts';
import { DATABASE, databaseRow } from './resident.ts';
import { RULES_DUE, renewRulesClosed } from './rules.ts';
import { say } from './tell.ts';

export type DatabaseWork<I extends OfDatabase = OfDatabase> = TaskWork<I, DatabasesDeps>;
export type DatabaseStep<I extends OfDatabase = OfDatabase> = TaskStep<I, DatabasesDeps>;

export const { newContainer, ready, published } = runningSteps(DATABASE);

/** Creates the login, the database and the extensions. Existing ones are not changed. */
export const setUp: DatabaseStep = {
  name: 'set-up',
  async run({ core, input }, signal) {
    await say(core, input.database, { words: (dialect, facts) => dialect.setUp(facts) }, signal);
  },
};

/**
 * Sets the recorded password in a server that may have an earlier password, before apps can reach the database.
 * Otherwise an app with the earlier password could sign in before the replacement.
 */
export const ownLogin: DatabaseStep = {
  name: 'login',
  async run({ core, input }, signal) {
    if (databaseRow(core, input.database).rules > RULES_DUE) return;
    if (!(await isRenewed(core, input.database, signal)))
      throw new TaskFailed(
        'The login of the database could not be set, because the server rejects the instance’s own login.',
      );
  },
};

async function isRenewed(core: DatabasesDeps, id: number, signal: AbortSignal): Promise<boolean> {
  try {
    return await renewRulesClosed(core, id, signal);
  } catch (error) {
    if (!(error instanceof AskFailed)) throw error;
    throw new TaskFailed(`The login of the database could not be set: ${error.message}.`, [], { cause: error });
  }
}
