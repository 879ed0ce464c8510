import type { MetricWindow } from '@davit/api';

export const WINDOWS = ['1h', '6h', '24h', '7d'] as const satisfies readonly MetricWindow[];

/** How far back the address says to look; the last hour unless it does. */
export function windowOf(text: unknown): MetricWindow {
  return WINDOWS.find((name) => name === text) ?? '1h';
}
