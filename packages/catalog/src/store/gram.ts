import type { Connection } from './connection.ts';
import { spaced } from './fold.ts';

/**
 * The search index consists of grams: pieces of one, two or three characters of a text. A text that contains the search
 * text also contains all its grams. The search first finds candidates by grams and then compares their texts. Grams
 * treat `-`, `_` and space as equal, but descriptions do not. Therefore some candidates do not match.
 */

/** Adds all grams (pieces of one to three characters) of a folded text to a set and returns the set. */
export function gramsOf(folded: string, into: Set<string> = new Set()): Set<string> {
  const text = tokenSafe(spaced(folded));
  const characters = isAscii(folded) ? text : [...text];
  for (let i = 0; i < characters.length; i += 1) {
    const [one, two, three] = [characters[i] ?? '', characters[i + 1], characters[i + 2]];
    into.add(one);
    if (two === undefined) continue;
    into.add(one + two);
    if (three !== undefined) into.add(one + two + three);
  }
  return into;
}

/**
 * Returns the grams with which a search text is looked up, in their order and without duplicates. These are all pieces
 * of three characters, or the whole text if it is shorter.
 */
export function gramsOfQuery(q: string): string[] {
  const characters = [...tokenSafe(spaced(q))];
  const length = Math.min(characters.length, 3);
  return [...new Set(characters.slice(length - 1).map((_, i) => characters.slice(i, i + length).join('')))];
}

/** Returns the number of templates whose texts contain a gram of the search index. */
export function gramCount(db: Connection, gram: string): number {
  return db.get<{ templates: number }>('SELECT templates FROM grams WHERE gram = ?', gram)?.templates ?? 0;
}

/**
 * Updates the number of templates for grams of the search index.
 * @param counts change of the number for each gram
 */
export function countGrams(db: Connection, counts: ReadonlyMap<string, number>): void {
  for (const [gram, by] of counts) {
    if (by === 0) continue;
    db.run(
      'INSERT INTO grams (gram, templates) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET templates = templates + ?2',
      gram,
      by,
    );
  }
}

/**
 * Replaces ASCII characters other than letters and digits, because the tokenizer of the full-text index would split a
 * gram at them. Two different grams may become equal, which only adds candidates to the search.
 */
function tokenSafe(text: string): string {
  return text.replace(/[^a-z0-9\u0080-\u{10ffff}]/gu, (character) =>
    String.fromCharCode(character.charCodeAt(0) + 0x80),
  );
}

function isAscii(text: string): boolean {
  return !/\P{ASCII}/u.test(text);
}
