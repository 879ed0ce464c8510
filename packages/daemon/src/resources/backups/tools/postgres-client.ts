/**
 * Runs PostgreSQL client programs in the container of the server. The programs connect over a Unix socket, and run as a
 * different user than the server.
 */
import { randomUUID } from 'node:crypto';
import type { Program } from '../../../adapters/engine/execution.ts';
import type { ADMIN } from '../../databases/dialects/dialect.ts';
import {
  BEGINNING,
  CLIENT,
  type READER,
  type RESTORER,
  sessionEnv,
} from '../../databases/dialects/postgres-session.ts';
import { MOST_COUNTING_MS, onePiece, run } from './program.ts';
import type { DumpedDatabase } from './tool.ts';

/** PostgreSQL role with which a client program signs in. The file `postgres-session.ts` describes each role. */
export type PostgresUser = typeof ADMIN | typeof READER | typeof RESTORER;

const PSQL = ['psql', '--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--field-separator=\t'];

/**
 * Runs SQL statements with `psql`. The statements are passed on standard input, so that they are not visible in a list
 * of processes.
 */
export function psql(
  of: DumpedDatabase,
  as: PostgresUser,
  statements: string,
  settings: Record<string, string> = {},
): Promise<string> {
  return run(of, psqlProgram(of, as, settings), onePiece(statements), MOST_COUNTING_MS);
}

export function psqlProgram(of: DumpedDatabase, as: PostgresUser, settings: Record<string, string> = {}): Program {
  return postgresProgram(of, as, [...PSQL, '--set=ON_ERROR_STOP=1'], settings);
}

/**
 * Returns the command of a PostgreSQL client program with its connection arguments.
 * @param settings additional settings of the session
 */
export function postgresProgram(
  { database, socket }: DumpedDatabase,
  as: PostgresUser,
  command: readonly string[],
  settings: Record<string, string> = {},
): Program {
  const other = socket === undefined ? [] : [`--host=${socket.folder}`, `--port=${socket.port}`];
  const target = [...other, '--no-password', `--username=${as}`, `--dbname=${database ?? BEGINNING}`];
  // Give the session a unique name. If the client program crashes, Davit can then find and end its session.
  const env = { ...sessionEnv(settings), PGAPPNAME: `davit ${randomUUID()}` };
  return { command: [...command, ...target], env, user: CLIENT.name };
}
