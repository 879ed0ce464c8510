import { DavitError } from '@davit/api';
import { quote } from './quote.ts';

/** Deeper than anything the API takes; what is deeper still could not be written back safely. */
const DEEPEST = 32;
/** More fields and items than anybody sends, and few enough that reading and checking them keeps nobody else waiting. */
const MOST_VALUES = 10_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A text is no JSON object that means the same to every parser. The message is a sentence about a body. */
export class JsonRefused extends DavitError {
  /** What is wrong, without a subject: `is not valid JSON`. */
  readonly what: string;

  /** @param more what to do, or where, with the sign before it */
  constructor(what: string, more = '', cause?: unknown) {
    super('invalid_json', `The body ${what}${more}.`, { cause });
    this.what = what;
  }
}

/**
 * Reads a request's body: one JSON object in UTF-8 that means the same to every parser. What parsers differ about is
 * refused: duplicate keys, a byte order mark, NUL, half surrogate pairs, `__proto__`, numbers too large to be one.
 * @param mostValues how many fields and items there may be
 * @throws JsonRefused
 */
export function parseJsonObject(bytes: Uint8Array, mostValues = MOST_VALUES): Record<string, unknown> {
  const text = decode(bytes);
  demandBounds(text, mostValues);
  const value = parse(text);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new JsonRefused(`must be a JSON object, not ${nameOf(value)}`);
  }
  scan(text);
  return value as Record<string, unknown>;
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw new JsonRefused('is not valid UTF-8', ': send it in that encoding', cause);
  }
  if (text.charCodeAt(0) === 0xfeff) throw new JsonRefused('starts with a byte order mark', ': send it without');
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const position = /at position (\d+)/.exec((cause as Error).message)?.[1];
    throw new JsonRefused('is not valid JSON', position ? `: look at position ${position}` : '', cause);
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
/** «+», «.», «E» and «e». */
const NUMBER_SIGNS: ReadonlySet<number> = new Set([0x2b, 0x2e, 0x45, 0x65]);

/** One pass over text that may be anything, for what would take JSON.parse long: a mebibyte of brackets, or of fields. */
function demandBounds(text: string, mostValues: number): void {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1;
    else if (code === COMMA) values += 1;
    if (depth > DEEPEST) throw new JsonRefused(`is nested deeper than ${DEEPEST} levels`, ': send it flatter');
    if (values > mostValues)
      throw new JsonRefused(`has more than ${mostValues} fields and items`, ': send less at once');
  }
}

/** One pass over text that is known to be JSON, for what JSON.parse lets through. */
function scan(text: string): void {
  // The keys of each open object; null for an array.
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

/** Where its closing quote is; behind the text's end for one without. */
function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1;
  return i;
}

/** Digits and the minus sign, which a number begins with; what else is in one comes behind them. */
function isNumeric(code: number): boolean {
  return (code >= DIGIT_0 && code <= DIGIT_9) || code === MINUS;
}

function endOfNumber(text: string, start: number): number {
  let i = start + 1;
  for (let code = text.charCodeAt(i); isNumeric(code) || NUMBER_SIGNS.has(code); code = text.charCodeAt(i)) i += 1;
  return i;
}

/** What is larger than any number becomes infinity when it is read, which could not be written back. */
function checkNumber(number: string): void {
  if (!Number.isFinite(Number(number))) throw new JsonRefused('has a number that is too large', `: «${quote(number)}»`);
}

/** @param keys of the object whose key the string is; null for a value */
function checkString(text: string, start: number, end: number, keys: Set<string> | null): void {
  const raw = text.slice(start + 1, end);
  // Only an escape can make a NUL or half a pair: JSON.parse refuses the one raw, UTF-8 has no form for the other.
  const escaped = raw.includes('\\');
  if (keys === null && !escaped) return;
  const string = escaped ? (JSON.parse(text.slice(start, end + 1)) as string) : raw;
  if (escaped && string.includes('\0')) throw new JsonRefused('contains a NUL character', ': leave it out');
  if (escaped && !string.isWellFormed())
    throw new JsonRefused('contains half of a surrogate pair', ': send whole characters');
  if (keys === null) return;
  if (string === '__proto__') throw new JsonRefused('has a field named «__proto__», which is never accepted');
  if (keys.has(string)) throw new JsonRefused(`names «${quote(string)}» twice`, ': name it once');
  keys.add(string);
}
