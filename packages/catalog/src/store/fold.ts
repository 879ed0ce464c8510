/**
 * Defines how the search compares texts. The query must be a substring of the name or of the description, after both
 * are folded. A match never spans name and description.
 * Folding ignores case, removes diacritics, and replaces variants of a character (full width, ligatures) by the
 * character itself.
 * In names, `-`, `_` and space are equal: `uptime kuma` and `uptime_kuma` find `uptime-kuma`. In descriptions they
 * differ: `self-hosted` finds "self-hosted" but not "self hosted".
 */

/** Letters whose mark is part of the letter, so that Unicode decomposition does not remove the mark. */
const UNDECOMPOSED: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  // The sigma at the end of a word has another form.
  ς: 'σ',
};

/** Most published texts do not match this pattern and therefore do not change when they are folded. */
const FOLDABLE = /[A-Z]|\P{ASCII}/u;

/** Folds prose or a query. The result is well-formed for every input, and folding it again does not change it. */
export function fold(text: string): string {
  if (!FOLDABLE.test(text)) return text;
  // The conversion to upper case comes first, because only this conversion unifies ß and ss, and dotless ı and i.
  const letters = withoutMarks(text.toWellFormed()).toUpperCase().toLowerCase();
  const plain = withoutMarks(letters).replace(/[æœøłđħŧς]/g, (letter) => UNDECOMPOSED[letter] ?? letter);
  // NFC joins Hangul syllables again, so that one syllable does not match the beginning of another.
  return plain.normalize('NFC');
}

/** Folds a name, or a query for names. */
export function foldName(name: string): string {
  return spaced(fold(name));
}

/** Applies the rule for names of {@link foldName} to a text that is already folded. */
export function spaced(folded: string): string {
  return folded.replace(/[-_]/g, ' ');
}

/** Folds and trims a search text. An empty result means no search. */
export function foldQuery(q: string): string {
  return fold(q).trim();
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}
