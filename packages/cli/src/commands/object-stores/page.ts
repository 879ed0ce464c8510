/**
 * Requests one page of a list. Returns its items and the cursor of the next page, which is `null` on the last page.
 * @param sendRequest function that must call `onHeaders`, because the header `Link` contains the cursor
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
