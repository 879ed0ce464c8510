/**
 * Text that others wrote, as an agent is told it. Everything here is done in one pass: a line of an app may be a mebibyte
 * of what costs most.
 */

/** A secret value with the name to be told in its place. */
export interface Secret {
  key: string;
  value: string;
}

/**
 * `ESC [ … final`, also begun by its one byte; what is closed by a bell or `ESC \` (titles, links, device strings); and
 * what is two characters long. No part may run over an escape: a text that is full of beginnings would be gone through
 * once for each of them.
 */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this finds
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b(?:[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;

/**
 * Without escape sequences, control characters, and what is there and cannot be seen: marks of direction, tags, joiners,
 * selectors of variants.
 */
export function readable(text: string): string {
  return text
    .replaceAll(SEQUENCE, '')
    .replaceAll(/[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/gu, '')
    .toWellFormed();
}

/** A shorter one stands in too many texts by chance. */
const SHORTEST_SECRET = 6;
/** The same of one line of a secret that has several, as a key in PEM: a log has each for itself. */
const SHORTEST_LINE = 16;

/** Takes secrets out of texts. */
export class Hiding {
  readonly #hidden: readonly Secret[];
  /** Of the longest of them, in characters. */
  readonly longest: number;

  constructor(secrets: readonly Secret[]) {
    const all = secrets.flatMap(({ key, value }) => formsOf(readable(value)).map((form) => ({ key, value: form })));
    // The longest first: one may be a part of another.
    this.#hidden = all.toSorted((a, b) => b.value.length - a.value.length);
    this.longest = this.#hidden[0]?.value.length ?? 0;
  }

  /** A text as it may be told. What stood between the parts of a secret and is not seen must not keep it from being found. */
  told(text: string): string {
    let safe = readable(text);
    for (const { key, value } of this.#hidden) {
      if (safe.includes(value)) safe = safe.replaceAll(value, () => `[secret ${key}]`);
    }
    return safe;
  }
}

/** As it is, as JSON has it, and line by line. */
function formsOf(value: string): string[] {
  if (value.length < SHORTEST_SECRET) return [];
  const lines = value.split('\n');
  const long = lines.length > 1 ? lines.filter((line) => line.trim().length >= SHORTEST_LINE) : [];
  return [...new Set([value, JSON.stringify(value).slice(1, -1), ...long])];
}
