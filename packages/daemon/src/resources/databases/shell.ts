import { canDatabase, DavitError } from '@davit/api';
import { EngineRefused } from '../../adapters/engine/errors.ts';
import type { TerminalSize } from '../../adapters/engine/terminal.ts';
import { sentence } from '../../app-spec/sentence.ts';
import type { DatabaseRow } from '../../db/tables/managed-database.ts';
import { openPipe } from '../shells/pipe.ts';
import type { ShellProgram } from '../shells/program.ts';
import { stateRefusal } from './change.ts';
import { databaseStatus, internalCredentials } from './database.ts';
import type { DatabasesDeps } from './deps.ts';
import { userProgram } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/index.ts';

/**
 * Starts a database client in the container of the database. The client signs in with the login that apps use.
 * @param size size of the terminal, or `null` to run the client without a terminal
 * @throws DavitError conflict if the database does not run, or its password cannot be decrypted
 */
export async function openDatabaseShell(
  core: DatabasesDeps,
  row: DatabaseRow,
  size: TerminalSize | null,
  signal: AbortSignal,
): Promise<ShellProgram> {
  if (row.container_id === null || !canDatabase.use(databaseStatus(row)))
    throw stateRefusal(row, 'open a shell in', 'Start the database, or wait until it is running.');
  const program = userProgram(DIALECTS[row.engine].shell(internalCredentials(core, row)));
  try {
    return size === null
      ? await openPipe(core.engine, row.container_id, program, signal)
      : await core.engine.openTerminal(row.container_id, program, size, signal);
  } catch (error) {
    if (!(error instanceof EngineRefused)) throw error;
    const message = `${sentence(error.message)} Check the status of the database.`;
    throw new DavitError('conflict', message, { cause: error });
  }
}
