import type { ChartLine } from './plot-options.ts';

const TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** What a line says, in words: how it is now, and the highest it was. */
export function summaryOf({ name, values }: ChartLine, at: readonly number[], say: (value: number) => string): string {
  let [highest, when] = [Number.NEGATIVE_INFINITY, 0];
  values.forEach((value, n) => {
    if (value === null || value <= highest) return;
    [highest, when] = [value, at[n] ?? 0];
  });
  if (when === 0) return `${name}: nothing was measured.`;
  const now = values.at(-1) ?? null;
  const is = now === null ? 'not measured now' : `now ${say(now)}`;
  return `${name}: ${is}; the most was ${say(highest)}, ${TIME.format(when * 1_000)}.`;
}
