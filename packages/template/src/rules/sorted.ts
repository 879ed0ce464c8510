/**
 * Compares names of environment variables in the order of their UTF-8 bytes. The names are ASCII, so JavaScript's
 * comparison has this order.
 */
export function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
