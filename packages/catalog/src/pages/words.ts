import { type Html, html } from './markup.ts';

const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const ABSOLUTE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const NUMBER = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Returns the time between `iso` and `now` as text, such as `3 days ago`. */
export function ago(iso: string, now: Date): string {
  const seconds = (now.getTime() - Date.parse(iso)) / 1_000;
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  return unit && length ? RELATIVE.format(-Math.trunc(seconds / length), unit) : 'just now';
}

/**
 * Returns the HTML of a relative time, such as `3 days ago`. The tooltip and the `datetime` attribute contain the exact
 * time.
 */
export function time(iso: string, now: Date): Html {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return html`<span>${iso}</span>`;
  return html`<time datetime="${iso}" title="${ABSOLUTE.format(date)} UTC">${ago(iso, now)}</time>`;
}

/** Formats a number with thousands separators, such as `1,234`. */
export function number(value: number): string {
  return NUMBER.format(value);
}

/** Formats a number in short form, such as `12.3K`. */
export function shortNumber(value: number): string {
  return SHORT.format(value);
}

/** Formats a count with its noun, such as `1 app` or `2 apps`. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${number(value)} ${value === 1 ? noun : plural}`;
}

/** Formats a list as text, such as `a`, `a and b`, or `a, b and c`. */
export function listed(words: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction', style: 'long' }).format(words);
}
