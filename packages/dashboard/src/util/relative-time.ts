/** Interval in milliseconds at which relative times on a page change. */
export const CLOCK_MS = 10_000;

const DAY_MS = 86_400_000;
/** Times up to 120 days are shown in days, so that a key that is valid for 90 days expires “in 90 days”. */
const UNITS: [unit: Intl.RelativeTimeFormatUnit, ms: number, fromMs: number][] = [
  ['year', 365 * DAY_MS, 365 * DAY_MS],
  ['month', 30 * DAY_MS, 120 * DAY_MS],
  ['day', DAY_MS, DAY_MS],
  ['hour', 3_600_000, 3_600_000],
  ['minute', 60_000, 60_000],
];
const WORDS = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
/** Use the long style for days and longer units, because the short style for a month would be `last mo.`. */
const LONG_WORDS = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/**
 * Formats a time relative to another time, such as `3 min. ago`, `in 2 days` or `just now`. Both times are in
 * milliseconds. A time in the future is rounded: one second less than 90 days is `in 90 days`.
 */
export function relative(at: number, from: number): string {
  const difference = at - from;
  const [unit, ms] = UNITS.find(([, , least]) => Math.abs(difference) >= least) ?? ['second', 1_000];
  // The page updates the current time only every `CLOCK_MS`, so treat a time slightly in the future as `just now`.
  if (unit === 'second') return difference > CLOCK_MS + 5_000 ? 'in a moment' : 'just now';
  const words = unit === 'minute' || unit === 'hour' ? WORDS : LONG_WORDS;
  const amount = difference / ms;
  return words.format(difference > 0 ? Math.round(amount) : Math.trunc(amount), unit);
}
