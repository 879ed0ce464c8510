import { either } from '../shape/words.ts';

/** A hint that is longer is read by nobody. */
const MOST = 30;

/** `a`, `b` or `c`; of very many the first, and that there are more. */
export function oneOf(words: readonly string[]): string {
  const more = words.length - MOST;
  return more > 0 ? `${either(words.slice(0, MOST))} (and ${more} more)` : either(words);
}
