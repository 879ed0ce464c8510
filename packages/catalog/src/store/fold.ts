/**
 * Defines how the catalog search compares texts. Folding converts a text to a normalized form: it ignores case and
 * removes diacritics. It also replaces variants of a character, such as full-width letters and ligatures. The folded
 * search text must be part of the folded name, or of the folded description. In names, `-`, `_` and space are equal:
 * `uptime kuma` and `uptime_kuma` find `uptime-kuma`. In descriptions they differ: `self-hosted` finds "self-hosted"
 * but not "self hosted".
 */

/**
 * Map from letter to ASCII letters, for letters that Unicode normalization does not change. For example, normalization
 * does not change `ø` to `o`, because the stroke is part of the letter.
 */
const UNDECOMPOSED: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  // The Greek letter sigma has the form `ς` at the end of a word.
  ς: 'σ',
};

/**
 * Matches text that may need normalization for the search. Most names and descriptions need no normalization, so this
 * test saves time.
 */
const FOLDABLE = /[A-Z]|\P{ASCII}/u;

/**
 * Normalizes a description or a search text for the search. The result is well-formed Unicode. Normalizing the result
 * again does not change it.
 */
export function fold(text: string): string {
  if (!FOLDABLE.test(text)) return text;
  // The text is converted to upper case first, because only this makes "ß" equal to "ss" and "ı" equal to "i".
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
 * Replaces `-` and `_` with spaces in a normalized text, because a search for names treats these characters and spaces
 * as equal.
 */
export function spaced(folded: string): string {
  return folded.replace(/[-_]/g, ' ');
}

/** Normalizes and trims a search text. If the result is empty, the user has entered no search text. */
export function foldQuery(q: string): string {
  return fold(q).trim();
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}
