/**
 * Formats a number with its noun, such as `1 app` or `1,200 deployments`. The dashboard and the command line use the
 * same format, so that users can compare their numbers.
 */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}

/**
 * Formats an integer with a comma between groups of three digits, such as `12,345`. Does not use `Intl`, because the
 * first use of `Intl` blocks a browser longer than all other formatting of a page.
 */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
