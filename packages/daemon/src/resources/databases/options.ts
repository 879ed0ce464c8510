/** What a database's server is started with beside what each of its kind gets; on record as JSON. */
export interface ServerOptions {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Those on record are arguments alone, or both. */
export function optionsOf({ options }: { options: string | null }): ServerOptions {
  const written: unknown = options === null ? [] : JSON.parse(options);
  return Array.isArray(written) ? { args: written as string[], env: {} } : (written as ServerOptions);
}
