import { useSyncExternalStore } from 'react';

const EVERY_MS = 10_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Subscribes to a clock that all relative times on the page share. The timer of the clock is stopped while there are no
 * subscribers.
 */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const one of listeners) one();
  }, EVERY_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

const UNITS: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
const WORDS = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
/** Use the long style for days and longer units, because the short style for a month would be `last mo.`. */
const LONG_WORDS = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const WHOLE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

/**
 * Formats a time relative to another time, such as `3 min. ago`, `in 2 days` or `just now`. Both times are in
 * milliseconds.
 */
export function relative(at: number, from: number): string {
  const difference = at - from;
  const [unit, ms] = UNITS.find(([, size]) => Math.abs(difference) >= size) ?? ['second', 1_000];
  // The page updates the current time only every `EVERY_MS`, so treat a time slightly in the future as `just now`.
  if (unit === 'second') return difference > EVERY_MS + 5_000 ? 'in a moment' : 'just now';
  const words = unit === 'minute' || unit === 'hour' ? WORDS : LONG_WORDS;
  return words.format(Math.trunc(difference / ms), unit);
}

/** Renders a time relative to now, such as `3 min. ago`. The tooltip shows the exact local time. */
export function Time({ at }: { at: string }) {
  const ms = Date.parse(at);
  return (
    <time dateTime={at} title={WHOLE.format(ms)} className="whitespace-nowrap">
      {relative(ms, Math.max(useNow(), Date.now() - EVERY_MS))}
    </time>
  );
}

/** Formats a duration in milliseconds, such as `420 ms`, `3.2 s` or `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
