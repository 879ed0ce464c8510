import { grouped } from '@davit/api';

/** Interval in milliseconds at which relative times on a page are updated. */
export const CLOCK_MS = 10_000;

const DAY_MS = 86_400_000;
export type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute';

/**
 * A time difference of up to 120 days is shown in days. An API key that is valid for 90 days therefore expires “in 90
 * days”.
 */
const UNITS: [unit: Unit, ms: number, fromMs: number][] = [
  ['year', 365 * DAY_MS, 365 * DAY_MS],
  ['month', 30 * DAY_MS, 120 * DAY_MS],
  ['day', DAY_MS, DAY_MS],
  ['hour', 3_600_000, 3_600_000],
  ['minute', 60_000, 60_000],
];
/**
 * Short names of units of time. All other units have their full names, because the short name of a month would be
 * `mo.`.
 */
const SHORT: Partial<Record<Unit, string>> = { hour: 'hr.', minute: 'min.' };
/** Words for the previous and the next day, month and year. */
const NEIGHBORS: Partial<Record<Unit, readonly [before: string, after: string]>> = {
  day: ['yesterday', 'tomorrow'],
  month: ['last month', 'next month'],
  year: ['last year', 'next year'],
};

/**
 * Formats a time relative to another time, such as `3 min. ago`, `in 2 days` or `just now`. Both times are in
 * milliseconds. Future times are rounded. For example, 90 days minus one second is `in 90 days`.
 */
export function relative(at: number, from: number): string {
  const difference = at - from;
  const found = UNITS.find(([, , least]) => Math.abs(difference) >= least);
  /*
   * The page updates the current time only every `CLOCK_MS` milliseconds. Therefore, show a time that is slightly in
   * the future as `just now`.
   */
  if (found === undefined) return difference > CLOCK_MS + 5_000 ? 'in a moment' : 'just now';
  const [unit, ms] = found;
  const amount = difference / ms;
  return inWords(difference > 0 ? Math.round(amount) : Math.trunc(amount), unit);
}

/**
 * Formats a number of units of time, for example as `in 2 days`. The number must not be 0. The result is the same as
 * from `Intl.RelativeTimeFormat`. `Intl` is not used, because its first use blocks the browser for too long.
 */
export function inWords(amount: number, unit: Unit): string {
  const neighbors = NEIGHBORS[unit];
  if (neighbors !== undefined && amount === -1) return neighbors[0];
  if (neighbors !== undefined && amount === 1) return neighbors[1];
  const count = Math.abs(amount);
  const said = `${grouped(count)} ${SHORT[unit] ?? (count === 1 ? unit : `${unit}s`)}`;
  return amount > 0 ? `in ${said}` : `${said} ago`;
}
