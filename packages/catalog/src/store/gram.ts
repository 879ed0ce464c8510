import type { Connection } from './connection.ts';
import { spaced } from './fold.ts';

/**
 * An n-gram is a piece of one to three characters. A text with all n-grams of a search text may still not contain the
 * search text. Therefore, the search also compares complete texts.
 */

/** Adds all n-grams (pieces of one to three characters) of a normalized text to a set, and returns the set. */
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
 * Returns all pieces of three consecutive characters of a search text, without duplicates. Returns the whole text if it
 * is shorter.
 */
export function gramsOfQuery(q: string): string[] {
  const characters = [...tokenSafe(spaced(q))];
  const length = Math.min(characters.length, 3);
  return [...new Set(characters.slice(length - 1).map((_, i) => characters.slice(i, i + length).join('')))];
}

/** Returns the number of templates whose texts contain an n-gram (a piece of one to three characters). */
export function gramCount(db: Connection, gram: string): number {
  return db.get<{ templates: number }>('SELECT templates FROM grams WHERE gram = ?', gram)?.templates ?? 0;
}

/**
 * Updates the stored number of templates for each n-gram (a text piece of one to three characters).
 * @param counts map from n-gram to the number to add
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
 * Replaces ASCII punctuation in a text, because the full-text index would split words at punctuation. The search also
 * compares the original texts.
 */
function tokenSafe(text: string): string {
  return text.replace(/[^a-z0-9\u0080-\u{10ffff}]/gu, (character) =>
    String.fromCharCode(character.charCodeAt(0) + 0x80),
  );
}

function isAscii(text: string): boolean {
  return !/\P{ASCII}/u.test(text);
}
