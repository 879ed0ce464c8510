/** Additional arguments for the database server of one database. The database row stores them as JSON. */
import { ARCHIVING } from './dialects/postgres-archiving.ts';

export interface ServerOptions {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/**
 * Value in the database row for a PostgreSQL server with WAL archiving. The row contains this value instead of the
 * arguments, so that a new Davit version can change the arguments.
 */
export const ARCHIVES = JSON.stringify({ archives: true });

/** Parses the additional server arguments of a database row. Older rows contain only an array of arguments. */
export function optionsOf({ options }: { options: string | null }): ServerOptions {
  if (options === ARCHIVES) return { args: ARCHIVING, env: {} };
  const written: unknown = options === null ? [] : JSON.parse(options);
  return Array.isArray(written) ? { args: written as string[], env: {} } : (written as ServerOptions);
}
