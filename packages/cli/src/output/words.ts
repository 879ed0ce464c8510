/** Numbers and times as people read them. */

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytes(count: number): string {
  let value = count;
  let unit = 0;
  for (; value >= 1_024 && unit < UNITS.length - 1; unit++) value /= 1_024;
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

/** Milliseconds as `840 ms`, `4.2 s`, `3 min 20 s`. */
export function duration(ms: number | null): string | null {
  if (ms === null) return null;
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
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
