/**
 * Compares typed words with a text, for example `spw` with `shop/production/web`. Letters at the start of a word and
 * adjacent letters increase the score.
 * @returns score, or `null` if the text does not match
 */
export function fit(typed: string, text: string): number | null {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const lower = text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const best = fitWord(word, lower);
    if (best === null) return null;
    sum += best;
  }
  return sum;
}

const START = 8;
const NEXT = 9;
const ANYWHERE = 1;
const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Returns the best score for a word in a text. Returns `null` if the letters of the word do not occur in the text in
 * the same order.
 */
function fitWord(word: string, text: string): number | null {
  /*
   * `ends[at]` is the best score for the letters compared so far. The last of these letters is at position `at` of the
   * text.
   */
  let ends: number[] = [];
  for (const [i, letter] of [...word].entries()) {
    const next: number[] = [];
    let before = i === 0 ? 0 : NEVER;
    for (let at = 0; at < text.length; at += 1) {
      if (i > 0 && at > 1) before = Math.max(before, ends[at - 2] ?? NEVER);
      const adjacent = i > 0 && at > 0 ? (ends[at - 1] ?? NEVER) + NEXT : NEVER;
      next[at] = text[at] === letter ? Math.max(before + valueAt(text, at), adjacent) : NEVER;
    }
    ends = next;
  }
  const best = Math.max(NEVER, ...ends);
  return best === NEVER ? null : best;
}

function valueAt(text: string, at: number): number {
  return at === 0 || /[^a-z0-9]/.test(text[at - 1] ?? '') ? START : ANYWHERE;
}
