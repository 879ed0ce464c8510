/**
 * Defines how the search of the catalog compares texts. The folded query must be a substring of the folded name or of
 * the folded description. A match never spans both.
 * Folding ignores case, removes diacritics, and replaces variants of a character (full width, ligatures) by the
 * character itself.
 * In names, `-`, `_` and space are equal: `uptime kuma` and `uptime_kuma` find `uptime-kuma`. In descriptions they
 * differ: `self-hosted` finds "self-hosted" but not "self hosted".
 */

/** Letters whose mark is part of the letter, such as `ø`. Unicode decomposition does not remove such a mark. */
const UNDECOMPOSED: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  // Final sigma, which is a form of `σ` at the end of a word.
  ς: 'σ',
};

/** Matches texts that folding may change. Most names and descriptions do not match, so folding them is fast. */
const FOLDABLE = /[A-Z]|\P{ASCII}/u;

/** Folds a description or a search text. The result is well-formed Unicode, and folding it again does not change it. */
export function fold(text: string): string {
  if (!FOLDABLE.test(text)) return text;
  // Upper case comes first, because only the conversion to upper case unifies "ß" with "ss" and dotless "ı" with "i".
  const letters = withoutMarks(text.toWellFormed()).toUpperCase().toLowerCase();
  const plain = withoutMarks(letters).replace(/[æœøłđħŧς]/g, (letter) => UNDECOMPOSED[letter] ?? letter);
  // NFC joins the parts of Hangul syllables, so that one syllable does not match the beginning of another.
  return plain.normalize('NFC');
}

/** Folds a name of a template, or a search text for names. `-` and `_` become spaces. */
export function foldName(name: string): string {
  return spaced(fold(name));
}

/** Replaces `-` and `_` by spaces in a folded text, because they are equal in names. */
export function spaced(folded: string): string {
  return folded.replace(/[-_]/g, ' ');
}

/** Folds and trims a search text. An empty result means that nothing is searched for. */
export function foldQuery(q: string): string {
  return fold(q).trim();
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}
