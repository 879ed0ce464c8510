/**
 * Returns how well the typed text matches a palette entry. The typed letters must occur in the text in the same order,
 * so `spw` finds `shop/production/web`. Letters at word starts and adjacent letters score higher. Each typed word is
 * matched separately.
 * @returns the score, higher for a better match, or `null` without a match
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
 * Returns the best score for the letters of a word that occur in a text in order. Returns `null` if the letters do not
 * occur.
 */
function fitWord(word: string, text: string): number | null {
  // Best scores for the letters matched so far. The index is the position in the text at which the last letter was
  // found.
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
