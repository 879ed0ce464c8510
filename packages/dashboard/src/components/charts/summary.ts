import type { ChartLine } from './plot-options.ts';

const TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** What is older than this part of what is shown is not how it is now. */
const RECENT = 1 / 30;

/** How it is now; null: it was not measured of late. What comes in live does not tell of every line with each step. */
export function newestOf({ values }: Pick<ChartLine, 'values'>, at: readonly number[]): number | null {
  const index = values.findLastIndex((value) => value !== null);
  const [first = 0, last = 0, then = 0] = [at[0], at.at(-1), at[index]];
  return index >= 0 && last - then <= (last - first) * RECENT ? (values[index] ?? null) : null;
}

/** What a line says, in words: how it is now, and the highest it was. */
export function summaryOf(line: ChartLine, at: readonly number[], say: (value: number) => string): string {
  const { name, values } = line;
  let [highest, when] = [Number.NEGATIVE_INFINITY, 0];
  values.forEach((value, n) => {
    if (value === null || value <= highest) return;
    [highest, when] = [value, at[n] ?? 0];
  });
  if (when === 0) return `${name}: nothing was measured.`;
  const now = newestOf(line, at);
  const is = now === null ? 'not measured now' : `now ${say(now)}`;
  return `${name}: ${is}; the most was ${say(highest)}, ${TIME.format(when * 1_000)}.`;
}
