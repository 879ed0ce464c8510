/**
 * Normalizes texts for the catalog search. The search ignores case, diacritics and variants of a character, such as
 * ligatures.
 */

/** Map from letters to ASCII letters. It contains letters such as `ø`, which Unicode normalization does not change. */
const UNDECOMPOSED: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  // At the end of a word, the Greek letter sigma has the form `ς`.
  ς: 'σ',
};

/**
 * Matches text that may need normalization. Most names and descriptions need no normalization, so this test saves time.
 */
const FOLDABLE = /[A-Z]|\P{ASCII}/u;

/**
 * Normalizes a description or a search text. The result is well-formed Unicode. Normalizing the result again does not
 * change it.
 */
export function fold(text: string): string {
  if (!FOLDABLE.test(text)) return text;
  // The text is converted to upper case first. Otherwise, "ß" would not equal "ss", and "ı" would not equal "i".
  const letters = withoutMarks(text.toWellFormed()).toUpperCase().toLowerCase();
  const plain = withoutMarks(letters).replace(/[æœøłđħŧς]/g, (letter) => UNDECOMPOSED[letter] ?? letter);
  // NFC joins the letters of a Korean syllable. Otherwise, a search for `가` would also find `각`.
  return plain.normalize('NFC');
}

/** Normalizes the name of a template, or a search text for names. `-` and `_` become spaces. */
export function foldName(name: string): string {
  return spaced(fold(name));
}

/**
 * Replaces `-` and `_` with spaces in template names, so that the search text `uptime_kuma` finds `uptime-kuma`.
 * Descriptions are not changed: `self-hosted` does not find "self hosted".
 */
export function spaced(folded: string): string {
  return folded.replace(/[-_]/g, ' ');
}

/** Normalizes and trims a search text. An empty result means that the user entered no search text. */
export function foldQuery(q: string): string {
  return fold(q).trim();
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}
