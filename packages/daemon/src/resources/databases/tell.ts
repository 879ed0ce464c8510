import { type DatabaseRow, databaseReference } from '../../db/tables/managed-database.ts';
import { inTurn } from '../../managed-services/turn.ts';
import { TaskFailed } from '../tasks/kind.ts';
import { ask, StatementFailed } from './ask.ts';
import type { DatabasesDeps } from './deps.ts';
import type { DatabaseCommand, DatabaseFacts, Dialect, Login } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/index.ts';
import { databaseRow } from './managed-service.ts';
import { databaseFacts } from './secrets.ts';

type TellingBase = Pick<DatabasesDeps, 'engine' | 'sealer' | 'store' | 'managedServiceTurns'>;

export interface TellOptions {
  /** Returns the command to run on the database server. Returns `null` or `undefined` if no command must run. */
  words: (dialect: Dialect, facts: DatabaseFacts) => DatabaseCommand | null | undefined;
  /**
   * Further logins whose passwords must not appear in error messages. Passwords of logins in the database row never
   * appear there.
   */
  secrets?: (row: DatabaseRow) => readonly Login[];
}

/**
 * Runs a command on a database server. Waits until no other command of the same database runs.
 * @returns the output, or an empty string if there is no command
 * @throws TaskFailed if the database was deleted or has no container
 * @throws StatementFailed with the error message of the database server
 * @throws EngineRefused, EngineUnavailable, the signal's reason
 */
export function say(
  base: TellingBase,
  id: number,
  { words, secrets }: TellOptions,
  signal: AbortSignal,
): Promise<string> {
  return inTurn('database', base, id, signal, async () => {
    const row = databaseRow(base, id);
    const facts = databaseFacts(base.sealer, row);
    const asked = words(DIALECTS[row.engine], facts) ?? null;
    if (asked === null) return '';
    if (row.container_id === null)
      throw new TaskFailed(`${databaseReference(row)} is not running. Start the database, then try again.`);
    const hidden = { ...facts, otherLogins: [...facts.otherLogins, ...(secrets?.(row) ?? [])] };
    return ask(base.engine, row.container_id, asked, hidden, signal);
  });
}

/**
 * Runs a command on a database server in a task step. If the database server returns an error, the task fails with
 * its error message.
 * @returns the output, or an empty string if there is no command
 * @throws TaskFailed, EngineRefused, EngineUnavailable, the signal's reason
 */
export async function tellInTask(
  base: TellingBase,
  id: number,
  words: TellOptions,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await say(base, id, words, signal);
  } catch (error) {
    if (!(error instanceof StatementFailed)) throw error;
    throw new TaskFailed(`The database server refused a command: ${error.message}.`, [], { cause: error });
  }
}
