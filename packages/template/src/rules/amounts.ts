/** Minimum memory of an app or a store. A container does not start with less. */
export const LEAST_MEMORY_BYTES = 6 * 2 ** 20;
/** Minimum share of a processor. */
export const LEAST_CPU = 0.01;

const FACTORS: readonly [suffix: RegExp, factor: number][] = [
  [/gi?$/i, 2 ** 30],
  [/mi?$/i, 2 ** 20],
  [/ki?$/i, 2 ** 10],
  [/b$/i, 1],
];
/** Underscores are allowed only between digits, as in numbers of the file. */
const NUMBER = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?$/i;
/** Exclusive maximum, which 64-bit integers can hold. */
const MOST_BYTES = 2 ** 63;

/**
 * Parses an amount to whole bytes: a number with `Gi` or `G` (2^30), `Mi` or `M`, `Ki` or `K`, `B` or no suffix. Case
 * and spaces before the suffix do not matter. Returns `null` if the text is not such an amount.
 */
export function parseBytes(written: string): number | null {
  const text = written.trim();
  const [suffix, factor] = FACTORS.find(([pattern]) => pattern.test(text)) ?? [null, 1];
  const number = suffix === null ? text : text.replace(suffix, '').trim();
  if (!NUMBER.test(number)) return null;
  const bytes = Math.trunc(Number(number.replaceAll('_', '')) * factor);
  // Adding zero converts a negative zero to zero.
  return Math.abs(bytes) < MOST_BYTES ? bytes + 0 : null;
}
