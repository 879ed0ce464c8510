/**
 * Comparison of two ways to do the same work. Both ways are measured in turn, so that both run under the same load of
 * the machine.
 */
import { type Details, type Found, median, quantile, rounded, say } from './result.ts';

type Named = readonly [name: string, ms: readonly number[]];

/** Runs both functions `pairs` times, in alternating order. Prints the durations after each pair. */
export async function inPairs(
  pairs: number,
  one: (pair: number) => Promise<unknown>,
  other: (pair: number) => Promise<unknown>,
  lists: readonly [Named, Named],
): Promise<void> {
  for (let pair = 1; pair <= pairs; pair += 1) {
    const both = [one, other];
    for (const next of pair % 2 === 0 ? both : both.toReversed()) await next(pair);
    say(`pair ${pair}: ${lists.map(([name, ms]) => `${name} ${ms.at(-1)?.toFixed(0)} ms`).join(', ')}`);
  }
}

/** Compares the medians of two measurements, and returns the fields of the result. */
export function comparison(
  limit: number,
  measured: Named,
  against: Named,
  more: Details = {},
): Pick<Found, 'limit' | 'value' | 'unit' | 'ratio' | 'ok' | 'details'> {
  const both = [measured, against];
  const ratio = median(measured[1]) / median(against[1]);
  const medians = both.map(([name, ms]) => [`${name}_median_ms`, rounded(median(ms))]);
  const quartiles = both.map(([name, ms]) => [
    `${name}_quartiles_ms`,
    [rounded(quantile(ms, 0.25)), rounded(quantile(ms, 0.75))],
  ]);
  return {
    ...{ limit: `≤ ${limit} ×`, value: rounded(ratio), unit: '×', ratio: rounded(ratio), ok: ratio <= limit },
    details: { pairs: measured[1].length, ...Object.fromEntries([...medians, ...quartiles]), ...more },
  };
}
