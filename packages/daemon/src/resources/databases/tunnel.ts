import { canDatabase, DavitError } from '@davit/api';
import { EngineRefused } from '../../adapters/engine/errors.ts';
import { sentence } from '../../app-spec/sentence.ts';
import type { DatabaseRow } from '../../db/tables/managed-database.ts';
import type { ShellProgram } from '../shells/program.ts';
import { tunnelThrough } from '../shells/tunnel.ts';
import { stateRefusal } from './change.ts';
import { databaseStatus } from './database.ts';
import type { DatabasesDeps } from './deps.ts';
import { DIALECTS } from './dialects/index.ts';

/**
 * Opens a TCP connection to the server of a database. The client itself must then sign in to the database.
 * @throws DavitError conflict if the database does not run
 */
export async function openDatabaseTunnel(
  { engine }: DatabasesDeps,
  row: DatabaseRow,
  signal: AbortSignal,
): Promise<ShellProgram> {
  if (row.container_id === null || !canDatabase.use(databaseStatus(row)))
    throw stateRefusal(row, 'connect to', 'Start the database, or wait until it is running.');
  try {
    return tunnelThrough(await engine.openConnection(row.container_id, DIALECTS[row.engine].port, signal));
  } catch (error) {
    if (!(error instanceof EngineRefused)) throw error;
    const message = `${sentence(error.message)} Check the status of the database.`;
    throw new DavitError('conflict', message, { cause: error });
  }
}
