/**
 * How well what was typed fits a text, as people abbreviate: its letters in their order, best at the beginnings of words
 * and next to each other, so that `spw` finds `shop/production/web`. Words are looked for each by itself.
 * @returns null when it does not fit, otherwise more for what fits better
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

/** The best way to find a word's letters in a text, of all there are. */
function fitWord(word: string, text: string): number | null {
  // The best sum with the letters so far, of which the last is found at each place.
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
