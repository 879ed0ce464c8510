import type { ChartLine } from './plot-options.ts';

type Values = ChartLine['values'];

/**
 * Returns the lines of a memory chart. Times without a memory limit are a gap in the line of the limit. If the limit is
 * `null` at all times, the chart has no line and no legend entry for the limit.
 */
export function memoryLines(memory: Values, limit: Values): ChartLine[] {
  const used: ChartLine = { name: 'used', values: memory, tone: 'accent', filled: true };
  if (limit.every((value) => value === null)) return [used];
  return [used, { name: 'limit', values: limit, tone: 'error', dashed: true }];
}
