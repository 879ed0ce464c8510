import { either } from '../shape/words.ts';

/** Maximum number of words in the list of an error message. Examples are names of database engines. */
const MOST = 30;

/**
 * Joins words for an error message, such as `a`, `b` or `c`. If there are too many words, returns only the first words
 * and the number of omitted words.
 */
export function oneOf(words: readonly string[]): string {
  const more = words.length - MOST;
  return more > 0 ? `${either(words.slice(0, MOST))} (and ${more} more)` : either(words);
}
