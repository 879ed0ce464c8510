/** PostgreSQL's own client, which comes over the socket inside the container as a user that the server is not. */
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

/** User that a program signs in as; see `postgres-session.ts` for the purpose of each. */
export type PostgresUser = typeof ADMIN | typeof READER | typeof RESTORER;

const PSQL = ['psql', '--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--field-separator=\t'];

/** Runs statements, which come over stdin: what is in them is in no list of processes. */
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

/** A program of PostgreSQL with its own arguments. @param settings of its session besides those that every session has */
export function postgresProgram(
  { database, socket }: DumpedDatabase,
  as: PostgresUser,
  command: readonly string[],
  settings: Record<string, string> = {},
): Program {
  const other = socket === undefined ? [] : [`--host=${socket.folder}`, `--port=${socket.port}`];
  const target = [...other, '--no-password', `--username=${as}`, `--dbname=${database ?? BEGINNING}`];
  // Tells the sessions of programs that run from those that were left behind.
  const env = { ...sessionEnv(settings), PGAPPNAME: `davit ${randomUUID()}` };
  return { command: [...command, ...target], env, user: CLIENT.name };
}
