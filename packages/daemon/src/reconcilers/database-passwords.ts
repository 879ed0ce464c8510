import type { Logger } from '@davit/service';
import { EngineUnavailable } from '../adapters/engine/errors.ts';
import { allDatabases, databaseById, databaseReference } from '../db/tables/managed-database.ts';
import type { DatabasesDeps } from '../resources/databases/deps.ts';
import { checkPasswords } from '../resources/databases/rules.ts';
import { Lanes } from './lanes.ts';
import type { Task } from './reconciler.ts';

const EVERY_MS = 5 * 60_000;

/**
 * Checks whether managed databases have the stored passwords. If a password differs, another reconciler sets the
 * password again, which closes open connections.
 */
export function databasePasswordsTask(core: DatabasesDeps, log: Logger): Task {
  const lanes = new Lanes();

  async function check(id: number, signal: AbortSignal): Promise<void> {
    const row = databaseById(core.store, id);
    if (row === undefined) return;
    const database = databaseReference(row);
    try {
      if (await checkPasswords(core, id, signal)) return;
      log.warn(
        { database },
        'the passwords of a database server differ from the stored passwords; Davit sets them again',
      );
      core.nudgeDatabases();
    } catch (error) {
      if (error instanceof EngineUnavailable || signal.aborted) throw error;
      log.warn(
        { database, error },
        'the passwords of a database server could not be compared with the stored passwords',
      );
    }
  }

  return {
    name: 'database passwords',
    everyMs: EVERY_MS,
    async run(signal) {
      const ids = allDatabases(core.store).map(({ id }) => id);
      try {
        await lanes.run(ids, (id) => check(id, signal), signal);
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) throw error;
      }
      return undefined;
    },
    settled: () => lanes.settled(),
  };
}
