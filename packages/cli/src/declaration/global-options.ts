import type { Options, OptionValues } from './specs.ts';

/** Options of all commands. */
export const GLOBAL_OPTIONS = {
  json: { description: 'print the API’s answer as JSON; errors too, on stderr' },
  quiet: { short: 'q', description: 'print ids only, and no notes' },
  yes: { short: 'y', description: 'do not ask: go on with what destroys something' },
  context: { value: 'name', description: 'use this context instead of the current one' },
  local: { description: 'speak to the instance on this machine, through the socket in its data directory' },
  noColor: { description: 'no colour' },
} as const satisfies Options;

export type GlobalOptions = OptionValues<typeof GLOBAL_OPTIONS>;
