import { DavitError } from '@davit/api';
import { quote } from './quote.ts';

/**
 * Maximum nesting depth of a JSON request body. The API needs fewer levels. Serializing a deeply nested value could
 * overflow the stack.
 */
const DEEPEST = 32;
/**
 * Maximum number of fields and array items in a JSON request body. The largest valid request sets, removes and marks
 * 1,000 variables each. Checking a larger request body would delay the requests of other clients.
 */
const MOST_VALUES = 3_200;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Error for a request body that is not a JSON object, or that JSON parsers could interpret differently. */
export class JsonRefused extends DavitError {
  /** Sentence that describes the problem with the JSON body, such as `The body is not valid JSON.` */
  readonly problem: string;

  /** @param advice sentence that says what the client can do; by default, there is no such sentence */
  constructor(problem: string, advice = '', cause?: unknown) {
    super('invalid_json', advice === '' ? problem : `${problem} ${advice}`, { cause });
    this.problem = problem;
  }
}

/**
 * Parses a request body with one JSON object in UTF-8. Rejects JSON that other parsers interpret differently, for
 * example with duplicate keys.
 * @throws JsonRefused
 */
export function parseJsonObject(bytes: Uint8Array, mostValues = MOST_VALUES): Record<string, unknown> {
  const text = decode(bytes);
  demandBounds(text, mostValues);
  const value = parse(text);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new JsonRefused(`The body must be a JSON object, not ${nameOf(value)}.`);
  }
  scan(text);
  return value as Record<string, unknown>;
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw new JsonRefused('The body is not valid UTF-8.', 'Send it in this encoding.', cause);
  }
  if (text.charCodeAt(0) === 0xfeff)
    throw new JsonRefused('The body starts with a byte order mark.', 'Send it without the mark.');
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const position = /at position (\d+)/.exec((cause as Error).message)?.[1];
    throw new JsonRefused('The body is not valid JSON.', position ? `Correct it at position ${position}.` : '', cause);
  }
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const MINUS = 0x2d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
/** Character codes of "+", ".", "E" and "e". A JSON number can contain these characters. */
const NUMBER_SIGNS: ReadonlySet<number> = new Set([0x2b, 0x2e, 0x45, 0x65]);

/**
 * Checks the nesting depth and the number of values before `JSON.parse`. `JSON.parse` would be slow for a mebibyte of
 * brackets. The text may be invalid JSON.
 */
function demandBounds(text: string, mostValues: number): void {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1;
    else if (code === COMMA) values += 1;
    if (depth > DEEPEST)
      throw new JsonRefused(`The body is nested deeper than ${DEEPEST} levels.`, 'Send fewer levels.');
    if (values > mostValues)
      throw new JsonRefused(`The body has more than ${mostValues} fields and items.`, 'Send fewer at once.');
  }
}

/** Checks valid JSON for features that `JSON.parse` accepts, but that other parsers interpret differently. */
function scan(text: string): void {
  /*
   * Objects and arrays that are not closed yet. The entry of an object is the set of keys found so far. The entry of an
   * array is `null`.
   */
  const open: (Set<string> | null)[] = [];
  let keyNext = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      const end = endOfString(text, i);
      const keys = keyNext ? open[open.length - 1] : null;
      checkString(text, i, end, keys ?? null);
      keyNext = false;
      i = end;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      keyNext = code === OPEN_OBJECT;
      open.push(keyNext ? new Set() : null);
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      open.pop();
    } else if (code === COMMA) {
      keyNext = open[open.length - 1] !== null;
    } else if (isNumeric(code)) {
      const end = endOfNumber(text, i);
      checkNumber(text.slice(i, end));
      i = end - 1;
    }
  }
}

/**
 * Returns the position of the closing quote of a JSON string. If there is no closing quote, returns a position after
 * the end of the text.
 */
function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1;
  return i;
}

/** Returns whether a character can begin a JSON number. Such a character is a digit or the minus sign. */
function isNumeric(code: number): boolean {
  return (code >= DIGIT_0 && code <= DIGIT_9) || code === MINUS;
}

function endOfNumber(text: string, start: number): number {
  let i = start + 1;
  for (let code = text.charCodeAt(i); isNumeric(code) || NUMBER_SIGNS.has(code); code = text.charCodeAt(i)) i += 1;
  return i;
}

/** Rejects a number that `JSON.parse` converts to infinity, because JSON cannot represent infinity. */
function checkNumber(number: string): void {
  if (!Number.isFinite(Number(number)))
    throw new JsonRefused(`The body has a number that is too large: “${quote(number)}”.`);
}

/**
 * Rejects a JSON string with NUL, half of a surrogate pair, a duplicate key or the key `__proto__`.
 * @param keys earlier keys of the same object, or `null` if the string is a value
 */
function checkString(text: string, start: number, end: number, keys: Set<string> | null): void {
  const raw = text.slice(start + 1, end);
  /*
   * NUL or half of a surrogate pair can occur only as an escape sequence. Therefore, check only strings with a
   * backslash.
   */
  const escaped = raw.includes('\\');
  if (keys === null && !escaped) return;
  const string = escaped ? (JSON.parse(text.slice(start, end + 1)) as string) : raw;
  if (escaped && string.includes('\0'))
    throw new JsonRefused('The body contains a NUL character.', 'Remove the character.');
  if (escaped && !string.isWellFormed())
    throw new JsonRefused('The body contains half of a surrogate pair.', 'Send complete characters.');
  if (keys === null) return;
  if (string === '__proto__') throw new JsonRefused('The body has a field named “__proto__”, which is never accepted.');
  if (keys.has(string)) throw new JsonRefused(`The body has the field “${quote(string)}” twice.`, 'Send it once.');
  keys.add(string);
}
