/** PostgreSQL's own client, which comes over the socket inside the container, where no password is asked. */
import { ADMIN } from '../../databases/dialects/dialect.ts';
import { oneText, run } from './program.ts';
import type { DumpedDatabase } from './tool.ts';

const PSQL = ['psql', '--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--field-separator=\t'];

/** Runs statements, which come over stdin: what is in them is in no list of processes. */
export function psql(of: DumpedDatabase, statements: string): Promise<string> {
  return run(of, { command: psqlCommand(of), user: 'postgres' }, oneText(statements));
}

export function psqlCommand(of: DumpedDatabase): string[] {
  return [...PSQL, '--set=ON_ERROR_STOP=1', ...target(of)];
}

/** Which server and which database of it a program is to speak to. */
export function target({ database, socket }: DumpedDatabase): string[] {
  const other = socket === undefined ? [] : [`--host=${socket.folder}`, `--port=${socket.port}`];
  return [...other, `--username=${ADMIN}`, `--dbname=${database ?? 'postgres'}`];
}
