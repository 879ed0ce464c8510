/** An address in front of the path: HTTP allows it, and nothing depends on it. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** The path of a request target as it was sent, without its query: no decoding, no dots resolved. */
export function pathOf(target: string): string {
  const local = target.startsWith('/') ? target : target.replace(ORIGIN, '') || '/';
  const query = local.indexOf('?');
  return query < 0 ? local : local.slice(0, query);
}

/** What stands behind the first «?»; empty for nothing. */
export function queryOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? '' : target.slice(query + 1);
}
