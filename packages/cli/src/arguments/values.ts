import { readByteSize } from '@davit/api';
import { CliError } from '../errors/exit.ts';

/**
 * Parses a non-negative integer of at most 15 digits.
 * @param what name of the number for the error message
 * @throws CliError with exit `usage`
 */
export function wholeNumber(text: string, what: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new CliError('usage', `"${text}" is not a valid ${what}: write a whole number.`);
  return Number(text);
}

/**
 * Parses an integer of at least 1.
 * @throws CliError with exit `usage` for any other text
 */
export function atLeastOne(text: string, what: string): number {
  const number = wholeNumber(text, what);
  if (number === 0) throw new CliError('usage', `"${text}" is not a valid ${what}: write 1 or more.`);
  return number;
}

/**
 * Converts a size such as `512m`, `64Mi`, `1.5g` or `1GiB` to bytes.
 * @throws CliError with exit `usage` if the text is not a size
 */
export function byteCount(text: string): number {
  const bytes = readByteSize(text);
  if (bytes === null) throw new CliError('usage', `"${text}" is not a valid size: write for example 512m or 1.5g.`);
  return bytes;
}

/**
 * Parses a number of CPU cores such as `0.5`.
 * @throws CliError with exit `usage` if the text is not a decimal number
 */
export function cores(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text))
    throw new CliError('usage', `"${text}" is not a valid number of cores: write for example 0.5.`);
  return Number(text);
}

export function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new CliError('usage', `Cannot read "${text}": write on or off.`);
  return text === 'on';
}

/**
 * Returns `null` for the option value `none`, which removes a setting. Parses any other value with the function `read`.
 */
export function orNone<T>(text: string, read: (text: string) => T): T | null {
  return text === 'none' ? null : read(text);
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/**
 * Converts a date or a duration to an RFC 3339 timestamp. A duration such as `90s`, `10m`, `2h` or `7d` means a time
 * before now.
 */
export function momentBefore(text: string, now: number): string {
  const [, digits, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (digits !== undefined) return new Date(now - Number(digits) * (SECONDS[unit] ?? 1) * 1_000).toISOString();
  // A timestamp is not converted, because a JavaScript `Date` would lose the nanoseconds of log timestamps.
  if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text)) return text;
  const time = Date.parse(text);
  if (Number.isNaN(time)) {
    throw new CliError(
      'usage',
      `"${text}" is not a valid time: write for example 10m, 2h, 7d or 2026-03-01T12:00:00Z.`,
    );
  }
  return new Date(time).toISOString();
}

/** Splits `KEY=value` at the first `=`. Returns `null` if the text has no `=` or starts with `=`. */
export function pairOf(text: string): [string, string] | null {
  const equals = text.indexOf('=');
  return equals < 1 ? null : [text.slice(0, equals), text.slice(equals + 1)];
}

/**
 * Converts arguments such as `key=value` to an object.
 * @param what word for an argument in the error message, such as `label`
 * @throws CliError with exit `usage`
 */
export function pairsOf(texts: readonly string[], what: string): Record<string, string> {
  const pairs = texts.map((text) => {
    const pair = pairOf(text);
    if (pair === null) throw new CliError('usage', `"${text}" is not a valid ${what}: write key=value.`);
    return pair;
  });
  return Object.fromEntries(pairs);
}
