import { either } from '../shape/words.ts';

/** Maximum number of words in a hint. */
const MOST = 30;

/** Formats a list as `a`, `b` or `c`. For many words, only the first ones and the number of the others are listed. */
export function oneOf(words: readonly string[]): string {
  const more = words.length - MOST;
  return more > 0 ? `${either(words.slice(0, MOST))} (and ${more} more)` : either(words);
}
