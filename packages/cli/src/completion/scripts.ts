import type { CommandSpec } from '../declaration/specs.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { grammarOf } from './words.ts';
import { zshScript } from './zsh.ts';

/**
 * Map from shell to the function that generates its completion script. The function uses the declarations of the CLI
 * commands.
 */
export const SCRIPTS: Record<string, (commands: readonly CommandSpec[]) => string> = {
  bash: (commands) => bashScript(grammarOf(commands)),
  zsh: (commands) => zshScript(grammarOf(commands)),
  fish: (commands) => fishScript(grammarOf(commands)),
};
