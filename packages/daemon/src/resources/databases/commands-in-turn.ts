import { type DatabaseRow, databaseReference } from '../../db/tables/managed-database.ts';
import { inTurn } from '../../managed-services/turn.ts';
import { TaskFailed } from '../tasks/kind.ts';
import { runCommand, StatementFailed } from './commands.ts';
import type { DatabasesDeps } from './deps.ts';
import type { DatabaseCommand, DatabaseFacts, Dialect, Login } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/index.ts';
import { databaseRow } from './managed-service.ts';
import { databaseFacts } from './secrets.ts';

type CommandBase = Pick<DatabasesDeps, 'engine' | 'sealer' | 'store' | 'managedServiceTurns'>;

export interface CommandChoice {
  /** Returns the command to run on the database server. Returns `null` or `undefined` if no command must run. */
  command: (dialect: Dialect, facts: DatabaseFacts) => DatabaseCommand | null | undefined;
  /**
   * Returns additional logins whose passwords must not appear in error messages. Davit always removes the passwords of
   * the valid logins in the database row.
   */
  secrets?: (row: DatabaseRow) => readonly Login[];
}

/**
 * Runs a command on a database server. Waits until earlier commands for the same database have finished.
 * @returns the output of the command; an empty string if the callback `command` returns `null`
 * @throws TaskFailed if the database was deleted or has no container
 * @throws StatementFailed with the error message of the database server
 * @throws EngineRefused, EngineUnavailable; the abort reason of the signal
 */
export function runInTurn(
  base: CommandBase,
  id: number,
  { command, secrets }: CommandChoice,
  signal: AbortSignal,
): Promise<string> {
  return inTurn('database', base, id, signal, async () => {
    const row = databaseRow(base, id);
    const facts = databaseFacts(base.sealer, row);
    const chosen = command(DIALECTS[row.engine], facts) ?? null;
    if (chosen === null) return '';
    if (row.container_id === null)
      throw new TaskFailed(`${databaseReference(row)} is not running. Start the database, then try again.`);
    const hidden = { ...facts, otherLogins: [...facts.otherLogins, ...(secrets?.(row) ?? [])] };
    return runCommand(base.engine, row.container_id, chosen, hidden, signal);
  });
}

/**
 * Runs a command on a database server in a task step. If the database server returns an error, the task fails with its
 * error message.
 * @returns the output, or an empty string if there is no command
 * @throws TaskFailed, EngineRefused, EngineUnavailable; the abort reason of the signal
 */
export async function runInTask(
  base: CommandBase,
  id: number,
  choice: CommandChoice,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await runInTurn(base, id, choice, signal);
  } catch (error) {
    if (!(error instanceof StatementFailed)) throw error;
    throw new TaskFailed(`The database server refused a command: ${error.message}.`, [], { cause: error });
  }
}
