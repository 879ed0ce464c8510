import { useSyncExternalStore } from 'react';
import { once } from '../util/once.ts';
import { CLOCK_MS, relative } from '../util/relative-time.ts';

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Subscribes to a clock that all relative times on the page share. While there are no subscribers, the clock is
 * stopped.
 */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const one of listeners) one();
  }, CLOCK_MS);
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

const whole = once(() => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' }));

/**
 * Renders a time relative to now, such as `3 min. ago`. A tooltip shows the exact local time. The exact time is
 * formatted only on hover, because the first render of a page must not create formatters.
 */
export function Time({ at }: { at: string }) {
  const ms = Date.parse(at);
  return (
    <time
      dateTime={at}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = whole().format(ms);
      }}
      className="whitespace-nowrap"
    >
      {relative(ms, Math.max(useNow(), Date.now() - CLOCK_MS))}
    </time>
  );
}

/** Formats a duration in milliseconds, such as `420 ms`, `3.2 s` or `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
