import { CliError } from '../errors/exit.ts';
import type { Ask } from './ask.ts';

interface Destruction {
  /** Consequence as a sentence without a full stop: `This deletes the app shop/production/web`. */
  what: string;
  /** Name that the user must type. */
  name: string;
}

/**
 * Asks the user to type the name of the resource to delete.
 * @throws CliError usage without a terminal and without `--yes`
 * @throws CliError failed if another name is typed
 */
export async function confirm({ what, name }: Destruction, { ask, yes }: { ask: Ask; yes: boolean }): Promise<void> {
  if (yes) return;
  if (!ask.isPossible) {
    throw new CliError('usage', `${what}. There is no terminal for a confirmation: to continue, add --yes.`);
  }
  const typed = await ask.text(`${what}. Type "${name}" to confirm:`);
  if (typed.trim() !== name) throw new CliError('failed', `The input does not match "${name}". Nothing was changed.`);
}
