import type { Base } from '../release/base.ts';
import type { DatabaseRow } from '../store/managed-database.ts';
import { TaskFailed } from '../tasks/kind.ts';
import { AskFailed, ask } from './ask.ts';
import type { Ask, DatabaseFacts } from './dialects/dialect.ts';

/**
 * Says something to a database in a task, which fails with the database's own words.
 * @returns what was answered
 * @throws TaskFailed, EngineRefused, EngineUnavailable, the signal's reason
 */
export async function tell(
  { engine }: Pick<Base, 'engine'>,
  { container_id }: Pick<DatabaseRow, 'container_id'>,
  words: Ask,
  facts: DatabaseFacts,
  signal: AbortSignal,
): Promise<string> {
  if (container_id === null) throw new TaskFailed('The database does not run: start it, then ask again.');
  try {
    return await ask(engine, container_id, words, facts, signal);
  } catch (error) {
    if (!(error instanceof AskFailed)) throw error;
    throw new TaskFailed(`The database did not do it: ${error.message}.`, [], { cause: error });
  }
}
