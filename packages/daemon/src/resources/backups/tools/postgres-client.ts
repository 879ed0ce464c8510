/** Client of PostgreSQL. The client connects over the socket in the container, as a different user than the server. */
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
import { MOST_COUNTING_MS, oneText, run } from './program.ts';
import type { DumpedDatabase } from './tool.ts';

/** User that a program signs in as. See `postgres-session.ts` for the purpose of each user. */
export type PostgresUser = typeof ADMIN | typeof READER | typeof RESTORER;

const PSQL = ['psql', '--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--field-separator=\t'];

/** Runs statements. Statements are passed over stdin, so that they do not appear in process lists. */
export function psql(
  of: DumpedDatabase,
  as: PostgresUser,
  statements: string,
  settings: Record<string, string> = {},
): Promise<string> {
  return run(of, psqlProgram(of, as, settings), oneText(statements), MOST_COUNTING_MS);
}

export function psqlProgram(of: DumpedDatabase, as: PostgresUser, settings: Record<string, string> = {}): Program {
  return postgresProgram(of, as, [...PSQL, '--set=ON_ERROR_STOP=1'], settings);
}

/**
 * Returns a PostgreSQL program with its arguments.
 * @param settings of the session, in addition to the default settings
 */
export function postgresProgram(
  { database, socket }: DumpedDatabase,
  as: PostgresUser,
  command: readonly string[],
  settings: Record<string, string> = {},
): Program {
  const other = socket === undefined ? [] : [`--host=${socket.folder}`, `--port=${socket.port}`];
  const target = [...other, '--no-password', `--username=${as}`, `--dbname=${database ?? BEGINNING}`];
  // The name distinguishes sessions of running programs from abandoned sessions.
  const env = { ...sessionEnv(settings), PGAPPNAME: `davit ${randomUUID()}` };
  return { command: [...command, ...target], env, user: CLIENT.name };
}
