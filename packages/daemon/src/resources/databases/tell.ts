import type { DatabaseRow } from '../../db/tables/managed-database.ts';
import { inTurn } from '../../managed-services/turn.ts';
import { TaskFailed } from '../tasks/kind.ts';
import { AskFailed, ask } from './ask.ts';
import type { DatabasesDeps } from './deps.ts';
import type { DatabaseCommand, DatabaseFacts, Dialect, Login } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/index.ts';
import { databaseRow } from './resident.ts';
import { databaseFacts } from './secrets.ts';

type TellingBase = Pick<DatabasesDeps, 'engine' | 'sealer' | 'store' | 'residentTurns'>;

export interface TellOptions {
  /** What is said; null or undefined: nothing. */
  words: (dialect: Dialect, facts: DatabaseFacts) => DatabaseCommand | null | undefined;
  /** Logins whose passwords are in no message besides those on record. */
  secrets?: (row: DatabaseRow) => readonly Login[];
}

/**
 * @returns what was answered; nothing if nothing was said
 * @throws TaskFailed if the database is gone or has no container; AskFailed with its own words; EngineRefused,
 * EngineUnavailable, the signal's reason
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
    if (row.container_id === null) throw new TaskFailed('The database does not run: start it, then ask again.');
    const hidden = { ...facts, otherLogins: [...facts.otherLogins, ...(secrets?.(row) ?? [])] };
    return ask(base.engine, row.container_id, asked, hidden, signal);
  });
}

/**
 * The same in a task, which fails with the database's own words.
 * @returns as {@link say}
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
    if (!(error instanceof AskFailed)) throw error;
    throw new TaskFailed(`The database did not do it: ${error.message}.`, [], { cause: error });
  }
}
