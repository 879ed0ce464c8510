import { dateAndTime } from '../../util/local-time.ts';
import type { ChartLine } from './plot-options.ts';

/**
 * Maximum age of the current value of a chart, as a fraction of the chart's time range. In a chart of one hour, the
 * maximum age is 2 minutes.
 */
const RECENT = 1 / 30;

/**
 * Returns the newest value of a chart line. Skips missing values at the end of the line, because some metric events
 * lack values. Returns `null` if the newest value is too old.
 */
export function newestOf({ values }: Pick<ChartLine, 'values'>, at: readonly number[]): number | null {
  const index = values.findLastIndex((value) => value !== null);
  const [first = 0, last = 0, then = 0] = [at[0], at.at(-1), at[index]];
  return index >= 0 && last - then <= (last - first) * RECENT ? (values[index] ?? null) : null;
}

/** Describes a chart line for screen readers with the current value and the maximum. */
export function summaryOf(line: ChartLine, at: readonly number[], say: (value: number) => string): string {
  const { name, values } = line;
  let [highest, when] = [Number.NEGATIVE_INFINITY, 0];
  values.forEach((value, n) => {
    if (value === null || value <= highest) return;
    [highest, when] = [value, at[n] ?? 0];
  });
  if (when === 0) return `${name}: no measurements.`;
  const now = newestOf(line, at);
  const is = now === null ? 'no current value' : `now ${say(now)}`;
  return `${name}: ${is}, maximum ${say(highest)} at ${dateAndTime(when * 1_000)}.`;
}
