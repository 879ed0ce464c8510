/**
 * Maximum length of a word for which the check searches a similar word. A longer word is probably not a typing error,
 * and comparing it would be slow.
 */
const LONGEST = 64;
/** Maximum edit distance between two similar words. */
const FAR = 2;

/**
 * Returns the candidate that is most similar to a word, ignoring case. Prefers a candidate that contains the word or is
 * a part of it. Returns `undefined` if no candidate is similar.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length === 0 || word.length > LONGEST) return undefined;
  const lower = word.toLowerCase();
  const related = candidates.filter((candidate) => contained(lower, candidate.toLowerCase()));
  if (related.length > 0) return closest(lower, related)?.candidate;
  const found = closest(
    lower,
    candidates.filter(({ length }) => Math.abs(length - lower.length) <= FAR),
  );
  // The words `db` and `it` differ in only two letters, but they share no letter. Such words are not similar.
  const isNear = found && found.distance <= FAR && found.distance < Math.max(lower.length, found.candidate.length);
  return isNear ? found.candidate : undefined;
}

/**
 * Returns a hint with a similar candidate for an unknown word. Returns `undefined` if the word is `null`, or if no
 * candidate is similar.
 */
export function didYouMean(word: string | null, candidates: readonly string[]): string | undefined {
  const meant = word === null ? undefined : nearest(word, candidates);
  return meant === undefined ? undefined : `Did you mean \`${meant}\`?`;
}

function contained(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.includes(short) && long.length <= short.length * 2;
}

function closest(word: string, candidates: readonly string[]): { candidate: string; distance: number } | undefined {
  return candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate.toLowerCase()) }))
    .reduce<{ candidate: string; distance: number } | undefined>(
      (best, one) => (best === undefined || one.distance < best.distance ? one : best),
      undefined,
    );
}

/** Returns the Levenshtein distance of two words: the minimum number of letters to add, remove or replace. */
export function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}
