import { readByteSize } from '@davit/api/byte-size.ts';

/**
 * Minimum memory limit in bytes of an app, a database or an object store. Docker does not start a container with less
 * memory.
 */
export const LEAST_MEMORY_BYTES = 6 * 2 ** 20;
/** Minimum memory limit in bytes with which an instance creates a database or an object store. */
export const LEAST_KEPT_MEMORY_BYTES = 64 * 2 ** 20;
/** Maximum CPU limit, in CPU cores. */
export const MOST_CPU = 1_024;
/** Minimum CPU limit, in CPU cores. */
export const LEAST_CPU = 0.01;

const FACTORS: readonly [suffix: RegExp, factor: number][] = [
  [/gi?$/i, 2 ** 30],
  [/mi?$/i, 2 ** 20],
  [/ki?$/i, 2 ** 10],
  [/b$/i, 1],
];
/**
 * Matches the number in an amount such as `512Mi`. Underscores are allowed only between digits, as in YAML numbers of
 * the template format.
 */
const NUMBER = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?$/i;
/** Amounts in bytes must be lower than this number, because they must fit into 64-bit integers. */
const MOST_BYTES = 2 ** 63;

/**
 * Parses bytes with an optional suffix `Gi` or `G` (2^30), `Mi`, `M`, `Ki`, `K` or `B` in any case, and every size that
 * users can write elsewhere in Davit, such as `1.5 GiB`. Returns `null` for invalid text.
 */
export function parseBytes(written: string): number | null {
  const text = written.trim();
  const [suffix, factor] = FACTORS.find(([pattern]) => pattern.test(text)) ?? [null, 1];
  const number = suffix === null ? text : text.replace(suffix, '').trim();
  const bytes = NUMBER.test(number) ? Math.trunc(Number(number.replaceAll('_', '')) * factor) : readByteSize(text);
  // Add zero to convert -0 to 0.
  return bytes !== null && Math.abs(bytes) < MOST_BYTES ? bytes + 0 : null;
}
