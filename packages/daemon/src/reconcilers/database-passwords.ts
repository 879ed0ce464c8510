import type { Logger } from '@davit/service';
import { EngineUnavailable } from '../adapters/engine/errors.ts';
import { allDatabases, databaseReference } from '../db/tables/managed-database.ts';
import type { DatabasesDeps } from '../resources/databases/deps.ts';
import { checkPasswords } from '../resources/databases/rules.ts';
import type { Task } from './reconciler.ts';

const EVERY_MS = 5 * 60_000;

/**
 * Compares the passwords of the app logins with the recorded passwords. If they differ, the reconciler of databases
 * restores the recorded password, which ends the sessions of the login.
 */
export function databasePasswordsTask(core: DatabasesDeps, log: Logger): Task {
  return {
    name: 'database passwords',
    everyMs: EVERY_MS,
    async run(signal) {
      for (const row of allDatabases(core.store)) {
        signal.throwIfAborted();
        const database = databaseReference(row);
        try {
          if (await checkPasswords(core, row.id, signal)) continue;
          log.warn({ database }, 'a database server does not have the recorded passwords; they are applied again');
          core.nudgeDatabases();
        } catch (error) {
          if (signal.aborted) throw error;
          if (error instanceof EngineUnavailable) return undefined;
          log.warn({ database, error }, 'the passwords of a database could not be verified');
        }
      }
      return undefined;
    },
  };
}
