import { dateAndTime } from '../../util/local-time.ts';
import type { ChartLine } from './plot-options.ts';

/**
 * Maximum age of the current value of a chart, as a fraction of the chart's time range. In a chart of one hour, the
 * maximum age is 2 minutes.
 */
const RECENT = 1 / 30;

type Values = readonly (number | null)[];

/**
 * Returns the index of the newest measurement. Skips missing values at the end, because some metric events lack values.
 * Returns -1 if there is no measurement or if the newest measurement is too old.
 */
function newestIndex(values: Values, at: readonly number[]): number {
  const index = values.findLastIndex((value) => value !== null);
  const [first = 0, last = 0, then = 0] = [at[0], at.at(-1), at[index]];
  return last - then <= (last - first) * RECENT ? index : -1;
}

/**
 * Returns the newest value of a chart line, or `null` if there is no current value.
 * @param requests request rates, if the line shows a share of the requests. The result is then the share at the time of
 * the newest request rate, and `null` if there were no requests at this time.
 */
export function newestOf({ values }: Pick<ChartLine, 'values'>, at: readonly number[], requests = values) {
  return values[newestIndex(requests, at)] ?? null;
}

/**
 * Returns the text for a missing share of requests.
 * @param index index of the time that the chart shows. Default: the time of the newest request rate.
 */
export function absentShare(requests: Values, at: readonly number[], index = newestIndex(requests, at)): string {
  return requests[index] === 0 ? 'no requests' : '–';
}

/** Describes a chart line for screen readers with the current value and the maximum. */
export function summaryOf(
  line: ChartLine,
  at: readonly number[],
  say: (value: number) => string,
  requests: Values = line.values,
): string {
  const { name, values } = line;
  let [highest, when] = [Number.NEGATIVE_INFINITY, 0];
  values.forEach((value, n) => {
    if (value === null || value <= highest) return;
    [highest, when] = [value, at[n] ?? 0];
  });
  if (when === 0) return `${name}: no measurements.`;
  const now = newestOf(line, at, requests);
  const is = now === null ? 'no current value' : `now ${say(now)}`;
  return `${name}: ${is}, maximum ${say(highest)} at ${dateAndTime(when * 1_000)}.`;
}
