/** Option for the time range of metrics. */
export const WINDOW = {
  short: 'w',
  value: 'window',
  choices: ['1h', '6h', '24h', '7d'],
  description: 'time range of the metrics (default: 1h)',
} as const;

/** Maximum number of rows for people. The JSON output contains all rows. */
const SHOWN = 20;

/** Returns the newest sample and evenly distributed earlier ones. */
export function shownSamples<T>(samples: readonly T[]): T[] {
  const every = Math.max(1, Math.ceil(samples.length / SHOWN));
  return samples.filter((_, index) => (samples.length - 1 - index) % every === 0);
}
