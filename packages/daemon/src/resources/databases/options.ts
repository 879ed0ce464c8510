/**
 * Additional arguments for the server of one database. The column `options` of the database row contains the arguments
 * as JSON.
 */
import { ARCHIVING } from './dialects/postgres-archiving.ts';

export interface ServerOptions {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/**
 * Value of the column `options` for a PostgreSQL server that archives WAL (write-ahead log). The column does not
 * contain the server arguments, so that a later Davit version can change the arguments.
 */
export const ARCHIVES = JSON.stringify({ archives: true });

/**
 * Returns the additional server arguments and environment variables of a database. In rows of earlier Davit versions,
 * the column contains only a list of arguments.
 */
export function optionsOf({ options }: { options: string | null }): ServerOptions {
  if (options === ARCHIVES) return { args: ARCHIVING, env: {} };
  const written: unknown = options === null ? [] : JSON.parse(options);
  return Array.isArray(written) ? { args: written as string[], env: {} } : (written as ServerOptions);
}
