import { either } from '../shape/words.ts';

/** Maximum number of words that a hint lists. */
const MOST = 30;

/**
 * Formats words as text, such as `a`, `b` or `c`. If there are too many words, the text contains the first words and
 * the number of further ones.
 */
export function oneOf(words: readonly string[]): string {
  const more = words.length - MOST;
  return more > 0 ? `${either(words.slice(0, MOST))} (and ${more} more)` : either(words);
}
