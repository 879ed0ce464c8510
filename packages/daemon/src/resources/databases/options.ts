/**
 * Further options for the start of one database server, in addition to the options of its engine. The row stores them
 * as JSON.
 */
export interface ServerOptions {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Parses the options of a row. Older rows contain only an array of arguments. */
export function optionsOf({ options }: { options: string | null }): ServerOptions {
  const written: unknown = options === null ? [] : JSON.parse(options);
  return Array.isArray(written) ? { args: written as string[], env: {} } : (written as ServerOptions);
}
