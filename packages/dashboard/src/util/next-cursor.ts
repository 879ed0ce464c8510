/** Returns the cursor of the next page of a list from the HTTP header `Link`. Returns `null` on the last page. */
export function nextCursor(headers: Headers | undefined): string | null {
  const next = /<([^>]*)>;\s*rel="next"/.exec(headers?.get('link') ?? '')?.[1];
  return next === undefined ? null : new URL(next, 'http://localhost').searchParams.get('cursor');
}
