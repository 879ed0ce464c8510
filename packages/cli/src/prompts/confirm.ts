import { CliError } from '../errors/exit.ts';
import type { Ask } from './ask.ts';

interface Destruction {
  /** What will happen, as a sentence without a full stop: `This deletes the app shop/production/web`. */
  what: string;
  /** What has to be typed. */
  name: string;
}

/**
 * Lets a person type the name of what is to be destroyed.
 * @throws CliError usage where there is nobody to ask and `--yes` was not given; failed when the name is another one
 */
export async function confirm({ what, name }: Destruction, { ask, yes }: { ask: Ask; yes: boolean }): Promise<void> {
  if (yes) return;
  if (!ask.isPossible) {
    throw new CliError('usage', `${what}: there is no terminal to ask at, so say --yes if that is what you want.`);
  }
  const typed = await ask.text(`${what}. Type «${name}» to go on:`);
  if (typed.trim() !== name) throw new CliError('failed', `That is not «${name}»: nothing was done.`);
}
