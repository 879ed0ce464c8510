/** Task steps that several kinds of database tasks use. */
import { runningSteps } from '../../managed-services/steps.ts';
import { TaskFailed, type TaskStep, type TaskWork } from '../tasks/kind.ts';
import type { OfDatabase } from './base.ts';
import { StatementFailed } from './commands.ts';
import { runInTurn } from './commands-in-turn.ts';
import type { DatabasesDeps } from './deps.ts';
import { DATABASE, databaseRow } from './managed-service.ts';
import { RULES_DUE, renewRulesClosed } from './rules.ts';

export type DatabaseWork<I extends OfDatabase = OfDatabase> = TaskWork<I, DatabasesDeps>;
export type DatabaseStep<I extends OfDatabase = OfDatabase> = TaskStep<I, DatabasesDeps>;

export const { newContainer, ready, published } = runningSteps(DATABASE);

/**
 * Task step that creates the login, the database and the extensions in a new database server. Existing logins,
 * databases and extensions are not changed.
 */
export const setUp: DatabaseStep = {
  name: 'set-up',
  async run({ core, input }, signal) {
    await runInTurn(core, input.database, { command: (dialect, facts) => dialect.setUp(facts) }, signal);
  },
};

/**
 * Task step that sets the current password for the login of apps before apps can connect. Without this step, the server
 * may still accept an old password.
 */
export const ownLogin: DatabaseStep = {
  name: 'login',
  async run({ core, input }, signal) {
    if (databaseRow(core, input.database).rules > RULES_DUE) return;
    if (!(await isRenewed(core, input.database, signal)))
      throw new TaskFailed(
        'Davit could not set the password for apps, because the database server does not accept the password of Davit’s login.',
      );
  },
};

async function isRenewed(core: DatabasesDeps, id: number, signal: AbortSignal): Promise<boolean> {
  try {
    return await renewRulesClosed(core, id, signal);
  } catch (error) {
    if (!(error instanceof StatementFailed)) throw error;
    throw new TaskFailed(`The login of the database could not be set: ${error.message}.`, [], { cause: error });
  }
}
