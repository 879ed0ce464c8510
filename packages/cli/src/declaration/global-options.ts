import type { Options, OptionValues } from './specs.ts';

export const GLOBAL_OPTIONS = {
  json: { description: 'print the API response as JSON, and errors as JSON on stderr' },
  quiet: { short: 'q', description: 'print only IDs, without other output' },
  yes: { short: 'y', description: 'skip the confirmation prompt of destructive commands' },
  context: { value: 'name', description: 'name of the context to use (default: the current context)' },
  local: { description: 'connect to the instance on this server, through the socket in the data directory' },
  noColor: { description: 'turn colors off' },
} as const satisfies Options;

export type GlobalOptions = OptionValues<typeof GLOBAL_OPTIONS>;
