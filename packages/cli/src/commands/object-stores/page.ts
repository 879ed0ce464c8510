/**
 * One page of a list, with where the next one begins.
 * @param ask does the request, and lets its headers be heard
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
