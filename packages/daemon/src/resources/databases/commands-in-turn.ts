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
  /** Returns the command to run on the database server, or `null` or `undefined` if no command is necessary. */
  command: (dialect: Dialect, facts: DatabaseFacts) => DatabaseCommand | null | undefined;
  /**
   * Returns additional database logins whose passwords must not appear in error messages. Davit always removes the
   * passwords of the logins in the database row.
   */
  secrets?: (row: DatabaseRow) => readonly Login[];
}

/**
 * Runs a command on a database server. The command starts when all earlier commands for this server have ended.
 * @throws TaskFailed, StatementFailed, EngineRefused, EngineUnavailable, or the abort reason
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
 * Runs a command on a database server in a task step. If the server returns an error, the task fails.
 * @throws TaskFailed, EngineRefused, EngineUnavailable, or the abort reason
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
