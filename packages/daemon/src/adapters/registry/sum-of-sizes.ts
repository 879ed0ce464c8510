/**
 * Sums sizes from manifests. The result is at most `Number.MAX_SAFE_INTEGER`, because sizes in manifests may be false
 * and SQLite cannot return a larger JavaScript number.
 */
export function sumOfSizes(sizes: Iterable<number>): number {
  let sum = 0;
  for (const size of sizes) sum += size;
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}
