/** How far back metrics can be looked at. */
export const WINDOW = {
  short: 'w',
  value: 'window',
  choices: ['1h', '6h', '24h', '7d'],
  description: 'how far back; 1h unless given',
} as const;

/** As many rows as one looks through; all of them are in the JSON. */
const SHOWN = 20;

/** The newest of the samples and others before it, evenly. */
export function shownSamples<T>(samples: readonly T[]): T[] {
  const every = Math.max(1, Math.ceil(samples.length / SHOWN));
  return samples.filter((_, index) => (samples.length - 1 - index) % every === 0);
}
