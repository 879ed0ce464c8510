/**
 * Removes escape sequences, invisible characters and secrets from texts for MCP clients. Each step must run in linear
 * time, because a single log line can be 1 MiB long.
 */

/** Secret to remove from texts. A text gets the secret's name instead of the value. */
export interface Secret {
  key: string;
  value: string;
}

/**
 * Matches three kinds of terminal escape sequences:
 * - sequences that start with `ESC [` or with the single character U+009B
 * - sequences that end with BEL or `ESC \`, for example window titles and links
 * - two-character sequences
 *
 * The middle of the pattern matches no ESC character. This keeps the search fast in a text with many ESC characters.
 */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this finds
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b(?:[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;

/**
 * Removes terminal escape sequences, control characters and invisible Unicode characters, for example direction marks,
 * joiners and variation selectors.
 */
export function readable(text: string): string {
  return text
    .replaceAll(SEQUENCE, '')
    .replaceAll(/[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/gu, '')
    .toWellFormed();
}

/**
 * Minimum length in characters of a secret that is removed from texts. Shorter values occur by chance in too many
 * texts.
 */
const SHORTEST_SECRET = 6;
/**
 * Secrets can have several lines, for example a PEM key. A log may contain one of these lines alone, so Davit hides
 * each line too. Davit does not hide lines with fewer characters than this.
 */
const SHORTEST_LINE = 16;

/** Replaces secret values in texts by `[secret <name>]`. */
export class Hiding {
  readonly #hidden: readonly Secret[];
  /** Number of characters in the longest secret. */
  readonly longest: number;

  constructor(secrets: readonly Secret[]) {
    const all = secrets.flatMap(({ key, value }) => formsOf(readable(value)).map((form) => ({ key, value: form })));
    // Longer secrets are replaced first, because a longer secret may contain a shorter one.
    this.#hidden = all.toSorted((a, b) => b.value.length - a.value.length);
    this.longest = this.#hidden[0]?.value.length ?? 0;
  }

  /**
   * Replaces all secrets in a text. Invisible characters are removed first, because a secret that contains them would
   * not be found.
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
