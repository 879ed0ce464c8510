/**
 * Defines how the catalog search compares texts. Folding ignores case, diacritics and variants of a character, such as
 * ligatures.
 */

/** Map from letter to ASCII letters, for letters such as `ø` that Unicode normalization does not change. */
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

/** Matches text that may need normalization. Most names and descriptions need none, so this test saves time. */
const FOLDABLE = /[A-Z]|\P{ASCII}/u;

/**
 * Normalizes a description or a search text. The result is well-formed Unicode, and does not change if it is normalized
 * again.
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
 * Replaces `-` and `_` with spaces. In names, `uptime_kuma` finds `uptime-kuma`. In descriptions, `self-hosted` does
 * not find "self hosted".
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
