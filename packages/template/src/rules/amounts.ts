/** An app or a store is given at least that much memory: less does not start a container. */
export const LEAST_MEMORY_BYTES = 6 * 2 ** 20;
/** The smallest share of a processor that can be given. */
export const LEAST_CPU = 0.01;

const FACTORS: readonly [suffix: RegExp, factor: number][] = [
  [/gi?$/i, 2 ** 30],
  [/mi?$/i, 2 ** 20],
  [/ki?$/i, 2 ** 10],
  [/b$/i, 1],
];
/** Underscores stand between digits alone, as in a number of the file. */
const NUMBER = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?$/i;
/** What a program that counts bytes in 64 bits can still hold. */
const MOST_BYTES = 2 ** 63;

/**
 * Bytes of an amount as written: a number with `Gi` or `G` (2^30), `Mi` or `M`, `Ki` or `K`, `B` or nothing behind it,
 * whatever the case and with blanks between or without, cut to whole bytes. Null: it is not such an amount.
 */
export function parseBytes(written: string): number | null {
  const text = written.trim();
  const [suffix, factor] = FACTORS.find(([pattern]) => pattern.test(text)) ?? [null, 1];
  const number = suffix === null ? text : text.replace(suffix, '').trim();
  if (!NUMBER.test(number)) return null;
  const bytes = Math.trunc(Number(number.replaceAll('_', '')) * factor);
  // Adding zero makes nothing of a negative zero.
  return Math.abs(bytes) < MOST_BYTES ? bytes + 0 : null;
}
