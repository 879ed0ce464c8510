/**
 * Returns one page of a list and the cursor of the next page.
 * @param ask sends the request and passes on the headers of its answer
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
