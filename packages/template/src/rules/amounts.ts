/** Minimum memory limit in bytes of an app or a managed service. Docker does not start a container with less memory. */
export const LEAST_MEMORY_BYTES = 6 * 2 ** 20;
/** Minimum CPU limit, as a number of CPUs. */
export const LEAST_CPU = 0.01;

const FACTORS: readonly [suffix: RegExp, factor: number][] = [
  [/gi?$/i, 2 ** 30],
  [/mi?$/i, 2 ** 20],
  [/ki?$/i, 2 ** 10],
  [/b$/i, 1],
];
/** Number of an amount. Underscores are allowed only between digits, as in YAML numbers of the template format. */
const NUMBER = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?$/i;
/** Exclusive maximum in bytes, because amounts must fit into 64-bit integers. */
const MOST_BYTES = 2 ** 63;

/**
 * Parses an amount to whole bytes: a number with the suffix `Gi` or `G` (2^30), `Mi` or `M`, `Ki` or `K`, `B`, or no
 * suffix. The case of the suffix and spaces before it are ignored. Returns `null` if the text is invalid.
 */
export function parseBytes(written: string): number | null {
  const text = written.trim();
  const [suffix, factor] = FACTORS.find(([pattern]) => pattern.test(text)) ?? [null, 1];
  const number = suffix === null ? text : text.replace(suffix, '').trim();
  if (!NUMBER.test(number)) return null;
  const bytes = Math.trunc(Number(number.replaceAll('_', '')) * factor);
  // Adding zero converts -0 to 0.
  return Math.abs(bytes) < MOST_BYTES ? bytes + 0 : null;
}
