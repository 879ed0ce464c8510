/**
 * Adds sizes that manifests name. Whoever pushed them chose the numbers, and the registry compares none with what it has:
 * the database cannot read an integer that a number of JavaScript does not hold.
 */
export function sumOfSizes(sizes: Iterable<number>): number {
  let sum = 0;
  for (const size of sizes) sum += size;
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}
