/**
 * Puts names into the order of their bytes in UTF-8, which programs in other languages sort by. Names of variables are
 * ASCII, for which the plain comparison is that order.
 */
export function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
