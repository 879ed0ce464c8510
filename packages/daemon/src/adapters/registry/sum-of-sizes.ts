/**
 * Sums the sizes in manifests, which may be false. At most `Number.MAX_SAFE_INTEGER`: SQLite cannot return more as a
 * JavaScript number.
 */
export function sumOfSizes(sizes: Iterable<number>): number {
  let sum = 0;
  for (const size of sizes) sum += size;
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}
