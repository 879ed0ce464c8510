import { EngineRefused, EngineUnavailable } from '../../adapters/engine/errors.ts';
import { SealBroken } from '../../db/seal.ts';
import { databaseById } from '../../db/tables/managed-database.ts';
import { serviceProblemOf } from '../../managed-services/ready.ts';
import { DATABASE } from '../databases/managed-service.ts';
import type { BackupsDeps } from './deps.ts';

/** Maximum duration in milliseconds of the check whether one database responds. */
const CHECK_MS = 10_000;

/**
 * Checks whether databases respond. The stored state of a database is not sufficient, because it may have been saved
 * before a restart of the server.
 * @returns map from the id of each database to whether it responds
 */
export async function readyDatabases(core: BackupsDeps, ids: readonly number[]): Promise<ReadonlyMap<number, boolean>> {
  return new Map(await Promise.all(ids.map(async (id): Promise<[number, boolean]> => [id, await isReady(core, id)])));
}

async function isReady(core: BackupsDeps, id: number): Promise<boolean> {
  const row = databaseById(core.store, id);
  if (row === undefined || row.container_id === null) return false;
  const signal = AbortSignal.timeout(CHECK_MS);
  try {
    return (await serviceProblemOf(DATABASE, core, row, signal)) === null;
  } catch (error) {
    /*
     * If the password of the database cannot be decrypted, return `true`. The backup then starts and fails with a
     * suitable error message.
     */
    if (error instanceof SealBroken) return true;
    if (error instanceof EngineUnavailable || error instanceof EngineRefused || signal.aborted) return false;
    throw error;
  }
}
