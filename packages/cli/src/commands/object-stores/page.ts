/**
 * Fetches one page of a list. Also returns the cursor of the next page from the HTTP header `Link`, or `null` on the
 * last page.
 * @param ask sends the API request and passes the response headers to `onHeaders`
 */
export async function onePage<Row>(
  ask: (onHeaders: (headers: Headers) => void) => Promise<Row[]>,
): Promise<{ rows: Row[]; next: string | null }> {
  let link = '';
  const rows = await ask((headers) => {
    link = headers.get('link') ?? '';
  });
  const [, target] = /<([^>]*)>;\s*rel="next"/.exec(link) ?? [];
  return { rows, next: target === undefined ? null : new URL(target, 'http://here').searchParams.get('cursor') };
}
