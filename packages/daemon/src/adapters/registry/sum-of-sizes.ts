/**
 * Sums sizes from manifests. The result is at most `Number.MAX_SAFE_INTEGER`. Sizes in manifests may be false, and
 * SQLite cannot return a larger number to JavaScript.
 */
export function sumOfSizes(sizes: Iterable<number>): number {
  let sum = 0;
  for (const size of sizes) sum += size;
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}
