/**
 * Compares names by their bytes in UTF-8, as programs in other languages do. Names of variables are ASCII, so the plain
 * comparison has this order.
 */
export function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
