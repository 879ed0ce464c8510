/**
 * Matches the scheme and host at the start of an HTTP request target. HTTP allows a scheme and host there, but Davit
 * ignores them.
 */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * Returns the path of an HTTP request target without its query. The path is not decoded, and `.` and `..` are not
 * resolved.
 */
export function pathOf(target: string): string {
  const local = target.startsWith('/') ? target : target.replace(ORIGIN, '') || '/';
  const query = local.indexOf('?');
  return query < 0 ? local : local.slice(0, query);
}

/**
 * Returns the query of an HTTP request target, which is the text after the first "?". Returns an empty text if there is
 * no query.
 */
export function queryOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? '' : target.slice(query + 1);
}
