/**
 * Cleans text from other sources for MCP clients. Each step must run in linear time, because a line of an app may have
 * a mebibyte of the most costly input.
 */

/** Secret value and the name that replaces it. */
export interface Secret {
  key: string;
  value: string;
}

/**
 * Pattern of escape sequences: `ESC [ … final`, also with its one-byte start; sequences that end with a bell or `ESC \`
 * (titles, links, device strings); and sequences of two characters. No part may match across an escape. Otherwise a
 * text with many starts would be scanned once for each of them.
 */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this finds
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b(?:[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;

/**
 * Removes escape sequences, control characters and invisible characters: direction marks, tags, joiners and variation
 * selectors.
 */
export function readable(text: string): string {
  return text
    .replaceAll(SEQUENCE, '')
    .replaceAll(/[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/gu, '')
    .toWellFormed();
}

/** Minimum length of a hidden secret in characters. A shorter value occurs in too many texts by chance. */
const SHORTEST_SECRET = 6;
/**
 * Minimum length in characters of a hidden line of a secret with several lines, such as a key in PEM format. A log
 * contains each line separately.
 */
const SHORTEST_LINE = 16;

/** Replaces secrets in texts. */
export class Hiding {
  readonly #hidden: readonly Secret[];
  /** Length in characters of the longest secret. */
  readonly longest: number;

  constructor(secrets: readonly Secret[]) {
    const all = secrets.flatMap(({ key, value }) => formsOf(readable(value)).map((form) => ({ key, value: form })));
    // The longest form comes first, because one form may be part of another.
    this.#hidden = all.toSorted((a, b) => b.value.length - a.value.length);
    this.longest = this.#hidden[0]?.value.length ?? 0;
  }

  /**
   * Returns a text without secrets. Invisible characters are removed first, because they could hide a secret from the
   * search.
   */
  told(text: string): string {
    let safe = readable(text);
    for (const { key, value } of this.#hidden) {
      if (safe.includes(value)) safe = safe.replaceAll(value, () => `[secret ${key}]`);
    }
    return safe;
  }
}

/** Returns the forms of a secret: the plain value, the value in JSON, and each of its lines. */
function formsOf(value: string): string[] {
  if (value.length < SHORTEST_SECRET) return [];
  const lines = value.split('\n');
  const long = lines.length > 1 ? lines.filter((line) => line.trim().length >= SHORTEST_LINE) : [];
  return [...new Set([value, JSON.stringify(value).slice(1, -1), ...long])];
}
