import { CLASSES, CONTROLS, codeOf } from './sets.ts';
import { type Has, PatternError } from './tree.ts';

/** Goes through the characters of a pattern. */
export class Reader {
  readonly #characters: string[];
  #at = 0;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  /** The character that comes next, or later by so many; empty: the pattern is over. */
  peek(ahead = 0): string {
    return this.#characters[this.#at + ahead] ?? '';
  }

  next(): string {
    const character = this.peek();
    this.#at += 1;
    return character;
  }

  /** Goes past a text if it comes next. */
  take(text: string): boolean {
    for (let index = 0; index < text.length; index++) if (this.peek(index) !== text[index]) return false;
    this.#at += text.length;
    return true;
  }

  /** Goes past what matches next, which is anchored and short. */
  takeMatch(expression: RegExp): RegExpExecArray | null {
    const found = expression.exec(this.#characters.slice(this.#at, this.#at + 16).join(''));
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  get isOver(): boolean {
    return this.#at >= this.#characters.length;
  }
}

/** What a backslash and what follows it stand for: a set, or one character. The backslash is behind the reader. */
export function readEscape(reader: Reader): Has | number {
  const character = reader.next();
  if (character === '') throw new PatternError('it ends with a backslash');
  if (Object.hasOwn(CLASSES, character)) return CLASSES[character] ?? 0;
  if (Object.hasOwn(CONTROLS, character)) return CONTROLS[character] ?? 0;
  if (character === 'x') {
    const digits = reader.takeMatch(/^[0-9A-Fa-f]{2}/);
    if (digits === null) throw new PatternError('\\x is not followed by two hexadecimal digits');
    return Number.parseInt(digits[0], 16);
  }
  if (/[0-9]/.test(character)) throw new PatternError(`\\${character} refers back to a group`);
  // Every dialect takes punctuation after a backslash for itself, and gives letters meanings of its own.
  if (/[A-Za-z]/.test(character) || codeOf(character) > 0x7f) {
    throw new PatternError(`\\${character} means different things, or nothing`);
  }
  return codeOf(character);
}
