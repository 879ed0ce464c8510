import { CliError } from '../errors/exit.ts';
import type { Prompter } from './prompter.ts';

interface Destruction {
  /**
   * Sentence without a full stop about what the action deletes or replaces. Example: `This deletes the app
   * shop/production/web`.
   */
  what: string;
  /** Name of the resource. To confirm the action, the user must type this name. */
  name: string;
}

/**
 * Asks the user to confirm an action by typing the name of the resource, unless `--yes` is set.
 * @throws CliError with exit `usage` (no terminal) or `failed` (another name)
 */
export async function confirm(
  { what, name }: Destruction,
  { ask: prompter, yes }: { ask: Prompter; yes: boolean },
): Promise<void> {
  if (yes) return;
  if (!prompter.isPossible) {
    throw new CliError('usage', `${what}. There is no terminal for a confirmation: to continue, add --yes.`);
  }
  const typed = await prompter.text(`${what}. Type "${name}" to confirm:`);
  if (typed.trim() !== name) throw new CliError('failed', `The input does not match "${name}". Nothing was changed.`);
}
