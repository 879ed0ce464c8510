import { duration } from './duration.ts';

/** Numbers and times as people read them. */

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytes(count: number): string {
  let value = count;
  let unit = 0;
  for (; value >= 1_024 && unit < UNITS.length - 1; unit++) value /= 1_024;
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

/** How long something took; null: it has not ended, or was never begun. */
export function took(ms: number | null): string | null {
  return ms === null ? null : duration(ms);
}

/** A time of RFC 3339 to the minute, in UTC, as it sorts. */
export function minute(time: string): string;
export function minute(time: string | null): string | null;
export function minute(time: string | null): string | null {
  return time === null ? null : time.slice(0, 16).replace('T', ' ');
}

/** Its day. */
export function day(time: string): string {
  return time.slice(0, 10);
}

/** `1 app`, `2 apps`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}
