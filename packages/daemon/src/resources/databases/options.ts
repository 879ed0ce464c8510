/** Additional arguments for the database server of one database. The database row stores them as JSON. */
import { ARCHIVING } from './dialects/postgres-archiving.ts';

export interface ServerOptions {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/**
 * Value of the column `options` if a PostgreSQL server archives its WAL. SQLite contains this value instead of the
 * server arguments for the archiving, so that a new Davit version can change these arguments.
 */
export const ARCHIVES = JSON.stringify({ archives: true });

/** Parses the additional server arguments of a database row. Older rows contain only an array of arguments. */
export function optionsOf({ options }: { options: string | null }): ServerOptions {
  if (options === ARCHIVES) return { args: ARCHIVING, env: {} };
  const written: unknown = options === null ? [] : JSON.parse(options);
  return Array.isArray(written) ? { args: written as string[], env: {} } : (written as ServerOptions);
}
