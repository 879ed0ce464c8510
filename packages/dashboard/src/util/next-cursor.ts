/** What the next page of a list is asked for with, from the header `Link`; null: there is none. */
export function nextCursor(headers: Headers | undefined): string | null {
  const next = /<([^>]*)>;\s*rel="next"/.exec(headers?.get('link') ?? '')?.[1];
  return next === undefined ? null : new URL(next, 'http://localhost').searchParams.get('cursor');
}
