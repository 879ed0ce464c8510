/**
 * Adds up the sizes in image manifests. The result is at most `Number.MAX_SAFE_INTEGER`, because SQLite cannot return a
 * larger integer as a JavaScript number. The sizes may be wrong: clients can write any size into a manifest, and the
 * registry does not verify it.
 */
export function sumOfSizes(sizes: Iterable<number>): number {
  let sum = 0;
  for (const size of sizes) sum += size;
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}
