import type { Connection } from './connection.ts';
import { spaced } from './fold.ts';

/**
 * Grams are the pieces of one, two and three characters of a text. A text that contains another has all its grams, so they
 * narrow a search down to few candidates, each of which is then looked at. As the separators of names are alike
 * in some places and not in others, grams take them for alike everywhere.
 */

/** The grams of a folded text. */
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

/** The longest grams of what is looked for, in their order, each once. */
export function gramsOfQuery(q: string): string[] {
  const characters = [...tokenSafe(spaced(q))];
  const length = Math.min(characters.length, 3);
  return [...new Set(characters.slice(length - 1).map((_, i) => characters.slice(i, i + length).join('')))];
}

/** How many templates have this gram: how much it narrows a search down. */
export function gramCount(db: Connection, gram: string): number {
  return db.get<{ templates: number }>('SELECT templates FROM grams WHERE gram = ?', gram)?.templates ?? 0;
}

/** @param counts by how much the count of each gram grows */
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
 * The tokenizer of the index parts at what is no letter and no digit in ASCII, so such characters are moved out of it. Should
 * that make two texts alike, it costs a look at one candidate more.
 */
function tokenSafe(text: string): string {
  return text.replace(/[^a-z0-9\u0080-\u{10ffff}]/gu, (character) =>
    String.fromCharCode(character.charCodeAt(0) + 0x80),
  );
}

function isAscii(text: string): boolean {
  return !/\P{ASCII}/u.test(text);
}
