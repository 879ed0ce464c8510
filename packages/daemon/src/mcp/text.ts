/**
 * Removes escape sequences, invisible characters and secrets from texts. Each step must run in linear time, because a
 * log line can have 1 MiB.
 */

/** Secret that is removed from texts. Its name replaces its value. */
export interface Secret {
  key: string;
  value: string;
}

/**
 * Pattern for terminal escape sequences. The middle of a sequence cannot contain ESC, because otherwise the search
 * would be slow.
 */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this finds
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b(?:[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;

/**
 * Removes terminal escape sequences, control characters and invisible Unicode characters. Examples of invisible
 * characters are direction marks, joiners and variation selectors.
 */
export function readable(text: string): string {
  return text
    .replaceAll(SEQUENCE, '')
    .replaceAll(/[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/gu, '')
    .toWellFormed();
}

/** Minimum length in characters of a secret that is removed from texts. Many texts contain shorter values by chance. */
const SHORTEST_SECRET = 6;
/**
 * Minimum number of characters of a secret's line that is removed from texts. Single lines are removed too, because a
 * log may contain only one line of a PEM key.
 */
const SHORTEST_LINE = 16;

/** Replaces secret values in texts with `[secret <name>]`. */
export class Hiding {
  readonly #hidden: readonly Secret[];
  /** Number of characters in the longest secret. */
  readonly longest: number;

  constructor(secrets: readonly Secret[]) {
    const all = secrets.flatMap(({ key, value }) => formsOf(readable(value)).map((form) => ({ key, value: form })));
    // Replace longer secrets first, because a longer secret may contain a shorter one.
    this.#hidden = all.toSorted((a, b) => b.value.length - a.value.length);
    this.longest = this.#hidden[0]?.value.length ?? 0;
  }

  /**
   * Replaces all secrets in a text. Removes invisible characters first. Otherwise, a secret with invisible characters
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

/** Returns the forms in which a secret can occur in a text: unchanged, escaped in JSON, and each of its lines. */
function formsOf(value: string): string[] {
  if (value.length < SHORTEST_SECRET) return [];
  const lines = value.split('\n');
  const long = lines.length > 1 ? lines.filter((line) => line.trim().length >= SHORTEST_LINE) : [];
  return [...new Set([value, JSON.stringify(value).slice(1, -1), ...long])];
}
