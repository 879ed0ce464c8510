/**
 * Further options for the start of one database server, in addition to the options of its engine. The row stores them
 * as JSON.
 */
import { ARCHIVING } from './dialects/postgres-archiving.ts';

export interface ServerOptions {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/**
 * Stored options of a server whose log is archived. The arguments themselves are not stored, so that a new version of
 * Davit can change them.
 */
export const ARCHIVES = JSON.stringify({ archives: true });

/** Parses the options of a row. Older rows contain only an array of arguments. */
export function optionsOf({ options }: { options: string | null }): ServerOptions {
  if (options === ARCHIVES) return { args: ARCHIVING, env: {} };
  const written: unknown = options === null ? [] : JSON.parse(options);
  return Array.isArray(written) ? { args: written as string[], env: {} } : (written as ServerOptions);
}
