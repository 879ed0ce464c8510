/** Matches the scheme and host at the start of an HTTP request target. HTTP allows them, but Davit ignores them. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * Returns the path of an HTTP request target without its query. Does not decode the path and does not resolve `.` and
 * `..`.
 */
export function pathOf(target: string): string {
  const local = target.startsWith('/') ? target : target.replace(ORIGIN, '') || '/';
  const query = local.indexOf('?');
  return query < 0 ? local : local.slice(0, query);
}

/** Returns the query of an HTTP request target. The query is the text after the first "?", or an empty text. */
export function queryOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? '' : target.slice(query + 1);
}
