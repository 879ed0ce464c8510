import type { Connection } from './connection.ts';
import { spaced } from './fold.ts';

/**
 * A gram is a piece of one, two or three characters of a text. A text that contains another text has all its grams. The
 * search uses grams to find few candidates and then checks each candidate.
 * Some comparisons treat the separators of names as equal and others do not. Grams always treat them as equal.
 */

/** Returns the grams of a folded text. */
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

/** Returns the longest grams of a query in their order, without duplicates. */
export function gramsOfQuery(q: string): string[] {
  const characters = [...tokenSafe(spaced(q))];
  const length = Math.min(characters.length, 3);
  return [...new Set(characters.slice(length - 1).map((_, i) => characters.slice(i, i + length).join('')))];
}

/** Returns the number of templates with a gram. A small number means few candidates. */
export function gramCount(db: Connection, gram: string): number {
  return db.get<{ templates: number }>('SELECT templates FROM grams WHERE gram = ?', gram)?.templates ?? 0;
}

/**
 * Updates the counts of grams.
 * @param counts change of the count of each gram
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
 * Moves ASCII characters other than letters and digits to other code points, because the tokenizer of the index splits
 * at them. Two different texts may become equal, which only adds a candidate to check.
 */
function tokenSafe(text: string): string {
  return text.replace(/[^a-z0-9\u0080-\u{10ffff}]/gu, (character) =>
    String.fromCharCode(character.charCodeAt(0) + 0x80),
  );
}

function isAscii(text: string): boolean {
  return !/\P{ASCII}/u.test(text);
}
