/**
 * Fetches one page of a list. Also returns the cursor of the next page, which is in the response header `Link`. The
 * cursor is `null` on the last page.
 * @param sendRequest function that sends the API request. It must call `onHeaders` with the response headers
 */
export async function onePage<Row>(
  sendRequest: (onHeaders: (headers: Headers) => void) => Promise<Row[]>,
): Promise<{ rows: Row[]; next: string | null }> {
  let link = '';
  const rows = await sendRequest((headers) => {
    link = headers.get('link') ?? '';
  });
  const [, target] = /<([^>]*)>;\s*rel="next"/.exec(link) ?? [];
  return { rows, next: target === undefined ? null : new URL(target, 'http://here').searchParams.get('cursor') };
}
