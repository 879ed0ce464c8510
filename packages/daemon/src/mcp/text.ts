/**
 * Removes escape sequences, invisible characters and secrets from texts for MCP clients. Each step must run in linear
 * time, because a log line can have 1 MiB of any content.
 */

/** Secret value, and the name that replaces it in texts. */
export interface Secret {
  key: string;
  value: string;
}

/**
 * Matches terminal escape sequences: `ESC [ … final` and its one-byte form; sequences that end with BEL or `ESC \`
 * (titles, links, device strings); and two-character sequences. No part may match across an ESC character. Otherwise,
 * a text with many ESC characters would need quadratic time.
 */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this finds
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b(?:[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;

/**
 * Removes terminal escape sequences, control characters and invisible characters, for example direction marks, joiners
 * and variation selectors.
 */
export function readable(text: string): string {
  return text
    .replaceAll(SEQUENCE, '')
    .replaceAll(/[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/gu, '')
    .toWellFormed();
}

/** Minimum length of a secret in characters for its removal. Shorter values occur in too many texts by chance. */
const SHORTEST_SECRET = 6;
/**
 * Minimum length of a line in characters for its removal, if a secret has several lines, such as a PEM key. Logs
 * contain each line separately.
 */
const SHORTEST_LINE = 16;

/** Replaces secret values in texts by `[secret <name>]`. */
export class Hiding {
  readonly #hidden: readonly Secret[];
  /** Number of characters of the longest secret. */
  readonly longest: number;

  constructor(secrets: readonly Secret[]) {
    const all = secrets.flatMap(({ key, value }) => formsOf(readable(value)).map((form) => ({ key, value: form })));
    // Longer values are replaced first, because a shorter value can be part of a longer one.
    this.#hidden = all.toSorted((a, b) => b.value.length - a.value.length);
    this.longest = this.#hidden[0]?.value.length ?? 0;
  }

  /**
   * Replaces all secrets in a text. Invisible characters are removed first, because a secret with such characters
   * would not be found.
   */
  told(text: string): string {
    let safe = readable(text);
    for (const { key, value } of this.#hidden) {
      if (safe.includes(value)) safe = safe.replaceAll(value, () => `[secret ${key}]`);
    }
    return safe;
  }
}

/** Returns the forms in which a secret can occur in a text: as it is, escaped in JSON, and each of its lines. */
function formsOf(value: string): string[] {
  if (value.length < SHORTEST_SECRET) return [];
  const lines = value.split('\n');
  const long = lines.length > 1 ? lines.filter((line) => line.trim().length >= SHORTEST_LINE) : [];
  return [...new Set([value, JSON.stringify(value).slice(1, -1), ...long])];
}
