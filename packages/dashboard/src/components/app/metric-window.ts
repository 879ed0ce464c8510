import type { MetricWindow } from '@davit/api';

export const WINDOWS = ['1h', '6h', '24h', '7d'] as const satisfies readonly MetricWindow[];

/** Returns the time window of the metric charts from the URL. Default: the last hour. */
export function windowOf(text: unknown): MetricWindow {
  return WINDOWS.find((name) => name === text) ?? '1h';
}
