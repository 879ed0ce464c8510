import { CLASSES, CONTROLS, codeOf } from './sets.ts';
import { type Has, PatternError } from './tree.ts';

/** Reads a regular expression character by character. */
export class Reader {
  readonly #characters: string[];
  #at = 0;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  /**
   * Returns the next character, or the character `ahead` positions later. Does not move the position. Returns an empty
   * text at the end.
   */
  peek(ahead = 0): string {
    return this.#characters[this.#at + ahead] ?? '';
  }

  next(): string {
    const character = this.peek();
    this.#at += 1;
    return character;
  }

  /** If the given text is next, moves the position past this text and returns `true`. Otherwise, returns `false`. */
  take(text: string): boolean {
    for (let index = 0; index < text.length; index++) if (this.peek(index) !== text[index]) return false;
    this.#at += text.length;
    return true;
  }

  /**
   * Reads the next characters (at most 16) that match `expression`, which must start with `^`. If there is no match,
   * reads nothing and returns `null`.
   */
  takeMatch(expression: RegExp): RegExpExecArray | null {
    const found = expression.exec(this.#characters.slice(this.#at, this.#at + 16).join(''));
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  get isOver(): boolean {
    return this.#at >= this.#characters.length;
  }
}

/**
 * Parses an escape sequence of a regular expression after its backslash. Returns a set of characters, or the code point
 * of a single character.
 */
export function readEscape(reader: Reader): Has | number {
  const character = reader.next();
  if (character === '') throw new PatternError('the pattern ends with a backslash');
  if (Object.hasOwn(CLASSES, character)) return CLASSES[character] ?? 0;
  if (Object.hasOwn(CONTROLS, character)) return CONTROLS[character] ?? 0;
  if (character === 'x') {
    const digits = reader.takeMatch(/^[0-9A-Fa-f]{2}/);
    if (digits === null) throw new PatternError('\\x is not followed by two hexadecimal digits');
    return Number.parseInt(digits[0], 16);
  }
  if (/[0-9]/.test(character)) throw new PatternError(`\\${character} is a back-reference`);
  /*
   * A backslash before an unknown letter is rejected, because such escape sequences have different meanings in
   * different programs.
   */
  if (/[A-Za-z]/.test(character) || codeOf(character) > 0x7f) {
    throw new PatternError(`programs interpret \\${character} in different ways`);
  }
  return codeOf(character);
}
