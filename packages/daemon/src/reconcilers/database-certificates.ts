import type { Logger } from '@davit/service';
import { EngineUnavailable } from '../adapters/engine/errors.ts';
import { allDatabases, databaseById, databaseReference } from '../db/tables/managed-database.ts';
import { renewDatabaseCertificate } from '../resources/databases/certificates/certificate.ts';
import type { DatabasesDeps } from '../resources/databases/deps.ts';
import { Lanes } from './lanes.ts';
import type { Task } from './reconciler.ts';

const EVERY_MS = 60_000;

/**
 * Renews the certificates of databases before they expire, and after their names have changed. Also replaces the
 * self-signed certificates that earlier Davit versions created.
 */
export function databaseCertificatesTask(core: DatabasesDeps, log: Logger): Task {
  const lanes = new Lanes();

  async function renew(id: number, signal: AbortSignal): Promise<void> {
    try {
      await renewDatabaseCertificate(core, id, signal);
    } catch (error) {
      if (error instanceof EngineUnavailable || signal.aborted) throw error;
      const row = databaseById(core.store, id);
      const database = row === undefined ? id : databaseReference(row);
      log.warn({ database, error }, 'the certificate of a database could not be renewed; Davit tries again');
    }
  }

  return {
    name: 'database certificates',
    everyMs: EVERY_MS,
    async run(signal) {
      const ids = allDatabases(core.store).map(({ id }) => id);
      try {
        await lanes.run(ids, (id) => renew(id, signal), signal);
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) throw error;
      }
      return undefined;
    },
    settled: () => lanes.settled(),
  };
}
