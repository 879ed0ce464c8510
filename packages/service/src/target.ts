/** URL origin before the path. HTTP allows an origin in a request target, but nothing depends on it. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Returns the path of a request target without its query, unchanged: nothing is decoded and no dots are resolved. */
export function pathOf(target: string): string {
  const local = target.startsWith('/') ? target : target.replace(ORIGIN, '') || '/';
  const query = local.indexOf('?');
  return query < 0 ? local : local.slice(0, query);
}

/** Returns the text after the first "?", or an empty text. */
export function queryOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? '' : target.slice(query + 1);
}
