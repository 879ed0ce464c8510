/**
 * Formats a number with its noun, such as `1 app` or `1,200 deployments`. The dashboard and the command line share this
 * format, so that users can compare the numbers.
 */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}

/**
 * Formats a number with commas between groups of three digits, such as `12,345` or `0.125`. `Intl` is not used, because
 * its first use blocks a browser longer than all other formatting of a page.
 */
export function grouped(n: number): string {
  const [whole = '', fraction] = String(n).split('.');
  const groups = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}
