import { EngineRefused, EngineUnavailable } from '../../adapters/engine/errors.ts';
import { SealBroken } from '../../db/seal.ts';
import { databaseById } from '../../db/tables/managed-database.ts';
import { serviceProblemOf } from '../../managed-services/ready.ts';
import { DATABASE } from '../databases/managed-service.ts';
import type { BackupsDeps } from './deps.ts';

/** Maximum time in milliseconds for the check of one database. */
const CHECK_MS = 10_000;

/**
 * Checks now whether databases respond. The stored state is not enough, because it can be from before a restart of the
 * server.
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
    // The backup of a database whose password cannot be decrypted fails with this reason.
    if (error instanceof SealBroken) return true;
    if (error instanceof EngineUnavailable || error instanceof EngineRefused || signal.aborted) return false;
    throw error;
  }
}
