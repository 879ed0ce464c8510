/** Additional arguments for the database server of one database. The database row stores them as JSON. */
import { ARCHIVING } from './dialects/postgres-archiving.ts';

export interface ServerOptions {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/**
 * Value of the column `options` for a PostgreSQL server that archives WAL. The arguments are not stored, so that Davit
 * can change them later.
 */
export const ARCHIVES = JSON.stringify({ archives: true });

/**
 * Returns the additional server arguments and environment variables from a database row. Older rows contain only a list
 * of arguments.
 */
export function optionsOf({ options }: { options: string | null }): ServerOptions {
  if (options === ARCHIVES) return { args: ARCHIVING, env: {} };
  const written: unknown = options === null ? [] : JSON.parse(options);
  return Array.isArray(written) ? { args: written as string[], env: {} } : (written as ServerOptions);
}
