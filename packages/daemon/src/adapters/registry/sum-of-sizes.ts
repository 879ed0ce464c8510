/**
 * Adds up sizes that manifests name, at most to the largest safe integer. Clients choose these sizes when they push,
 * and the registry does not verify them. The database cannot read an integer that exceeds the range of a JavaScript
 * number.
 */
export function sumOfSizes(sizes: Iterable<number>): number {
  let sum = 0;
  for (const size of sizes) sum += size;
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}
