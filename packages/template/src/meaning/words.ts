import { either } from '../shape/words.ts';

/** Maximum number of words that an error message lists, for example names of database engines. */
const MOST = 30;

/**
 * Returns a list of words for an error message, such as `a`, `b` or `c`. If there are too many words, the list contains
 * the first words and says how many are left out.
 */
export function oneOf(words: readonly string[]): string {
  const more = words.length - MOST;
  return more > 0 ? `${either(words.slice(0, MOST))} (and ${more} more)` : either(words);
}
