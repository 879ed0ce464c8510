import { SHORTCUTS } from '../declaration/nouns.ts';
import { APP_COMMANDS } from './app-commands.ts';
import { DATA_COMMANDS } from './data-commands.ts';
import { INSTANCE_COMMANDS } from './instance-commands.ts';
import type { Loader } from './loader.ts';

/**
 * Map from the words of a CLI command to the function that loads the command. Each command has its own file. The CLI
 * loads only the file of the command that it runs.
 */
export const COMMANDS: Record<string, Loader> = { ...APP_COMMANDS, ...INSTANCE_COMMANDS, ...DATA_COMMANDS };

export function isCommand(path: readonly string[]): boolean {
  const name = path.join(' ');
  return Object.hasOwn(COMMANDS, name) || Object.hasOwn(SHORTCUTS, name);
}
