/**
 * The rule of the search, in one place. A query is looked for as a substring, character by character, after both sides are
 * folded: letters in one case, diacritics removed, variants of a character (full width, ligatures) as that character.
 * In names `-`, `_` and space are alike, on both sides: `uptime kuma` and `uptime_kuma` find `uptime-kuma`. A
 * description is prose and taken as it stands: `self-hosted` finds «self-hosted» there, and not «self hosted».
 * A match lies in the name or in the description, never across both.
 */

/** Letters whose mark is part of them, so that no decomposition takes it off. */
const UNDECOMPOSED: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  // At the end of a word the same letter has another form.
  ς: 'σ',
};

/** Anything else, which is most of what is published, folds to itself. */
const FOLDABLE = /[A-Z]|\P{ASCII}/u;

/** Folds prose or a query. Whatever comes in, the result is well-formed and folds to itself. */
export function fold(text: string): string {
  if (!FOLDABLE.test(text)) return text;
  // Upper case first: it is what makes one of ß and ss, of dotless ı and i.
  const letters = withoutMarks(text.toWellFormed()).toUpperCase().toLowerCase();
  const plain = withoutMarks(letters).replace(/[æœøłđħŧς]/g, (letter) => UNDECOMPOSED[letter] ?? letter);
  // Together again what is no mark: a syllable of Hangul is not the beginning of another.
  return plain.normalize('NFC');
}

/** Folds a name, or a query as it is looked for in names. */
export function foldName(name: string): string {
  return spaced(fold(name));
}

/** What {@link foldName} makes of something that is folded already. */
export function spaced(folded: string): string {
  return folded.replace(/[-_]/g, ' ');
}

/** Folds and trims what somebody looks for; empty: nothing in particular. */
export function foldQuery(q: string): string {
  return fold(q).trim();
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}
