export const WINDOW = {
  short: 'w',
  value: 'window',
  choices: ['1h', '6h', '24h', '7d'],
  description: 'time range of the metrics (default: 1h)',
} as const;

/** Maximum number of metric samples in a table. JSON output has no such limit. */
const SHOWN = 20;

/** Selects at most 20 metric samples for a table: the newest sample, and older samples at equal intervals. */
export function shownSamples<T>(samples: readonly T[]): T[] {
  const every = Math.max(1, Math.ceil(samples.length / SHOWN));
  return samples.filter((_, index) => (samples.length - 1 - index) % every === 0);
}
