/**
 * Formats a number with its noun, such as `1 app` or `1,200 deployments`. The dashboard and the command line use the
 * same format, so that users can compare their numbers.
 */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}
