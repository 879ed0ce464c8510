/**
 * Compares names of environment variables by their UTF-8 bytes. The names are ASCII, so JavaScript's comparison gives
 * the same order.
 */
export function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
