/**
 * Parses and formats the times on the log page. The formats are durations such as `15m`, RFC 3339 times with
 * nanoseconds, and values of HTML date and time fields.
 */
import { once } from '../../util/once.ts';
import type { Period } from './log-filter.ts';

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export const SPANS = [
  ['15m', 'Last 15 minutes'],
  ['1h', 'Last hour'],
  ['6h', 'Last 6 hours'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
] as const;

/**
 * Returns the start of a time span such as `15m` that ends at `now`. An ISO time is returned unchanged. Returns `null`
 * for any other text.
 */
export function momentIn(text: string | null, now: number): string | null {
  if (text === null) return null;
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]).toISOString();
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}

/**
 * Returns the period of log lines from the URL. Returns `null` if the URL contains no period. The log page then shows
 * live log lines.
 */
export function periodIn(since: string | null, until: string | null, now: number): Period | null {
  const period = { since: momentIn(since, now), until: momentIn(until, now) };
  return period.since === null && period.until === null ? null : period;
}

/**
 * Returns the time one nanosecond after `at`. The API excludes the end of a period. With the returned time as the end,
 * the period includes `at`.
 * @param at RFC 3339 time in UTC
 */
export function rightAfter(at: string): string {
  const [, second = at, fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(at) ?? [];
  const nanos = BigInt(fraction.padEnd(9, '0').slice(0, 9)) + 1n;
  if (nanos < 1_000_000_000n) return `${second}.${String(nanos).padStart(9, '0')}Z`;
  return `${new Date(Date.parse(`${second}Z`) + 1_000).toISOString().slice(0, 19)}.000000000Z`;
}

/** Adds milliseconds to an ISO time. */
export function later(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}

/** Converts an ISO time into the value of an `<input type="datetime-local">`. */
export function toLocalField(moment: string | null): string {
  if (moment === null) return '';
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** Converts the value of an `<input type="datetime-local">` into an ISO time. Returns `null` for an invalid value. */
export function fromLocalField(text: string): string | null {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

const two = (value: number) => String(value).padStart(2, '0');

/** Formats an ISO time as local time of day with milliseconds. */
export function clockTime(at: string): string {
  const date = new Date(at);
  const ms = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`;
}

const whole = once(() => new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' }));

/** Formats an ISO time as local date and time, followed by the original ISO time. */
export function wholeTime(at: string): string {
  return `${whole().format(new Date(at))} · ${at}`;
}

const short = once(() => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' }));

export function shortTime(at: string): string {
  return short().format(new Date(at));
}
