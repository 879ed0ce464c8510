/**
 * Compares names of environment variables by their UTF-8 bytes. All names are ASCII, so a JavaScript string comparison
 * gives the same order.
 */
export function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
