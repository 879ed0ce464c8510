import type { Command } from '../declaration/command.ts';
import { COMMANDS } from './index.ts';

/** Loads the declarations of all CLI commands, for shell completion and the reference pages. */
export function allCommands(): Promise<Command[]> {
  return Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command));
}
