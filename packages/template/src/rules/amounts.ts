import { readByteSize } from '@davit/api/byte-size.ts';

/**
 * Minimum memory limit in bytes of an app, a database or an object store. With a lower limit, Docker does not start the
 * container.
 */
export const LEAST_MEMORY_BYTES = 6 * 2 ** 20;
/** Minimum memory limit in bytes of a new database or object store on an instance. */
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
 * Matches the number in an amount such as `512Mi`. Underscores are allowed between digits, as in YAML numbers of the
 * template format.
 */
const NUMBER = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?$/i;
/** Exclusive limit for amounts in bytes, because amounts must fit into 64-bit integers. */
const MOST_BYTES = 2 ** 63;

/**
 * Converts a size to bytes. Allowed suffixes are `Gi` or `G` (2^30), `Mi`, `M`, `Ki`, `K` and `B` in any case. Other
 * notations of sizes in Davit, such as `1.5 GiB`, are also allowed. Returns `null` for invalid text.
 */
export function parseBytes(written: string): number | null {
  const text = written.trim();
  const [suffix, factor] = FACTORS.find(([pattern]) => pattern.test(text)) ?? [null, 1];
  const number = suffix === null ? text : text.replace(suffix, '').trim();
  const bytes = NUMBER.test(number) ? Math.trunc(Number(number.replaceAll('_', '')) * factor) : readByteSize(text);
  // Adding zero converts -0 to 0.
  return bytes !== null && Math.abs(bytes) < MOST_BYTES ? bytes + 0 : null;
}
