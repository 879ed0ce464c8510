/**
 * Splits the tag list of a repository into pages, as the OCI distribution specification defines them. The registry
 * software Distribution 2.8 always returns all tags, in no order.
 */

export interface TagPageRequest {
  /** Maximum number of tags. */
  n: number;
  /** The page begins after this tag, which need not exist. An empty text means the start of the list. */
  last: string;
}

export interface TagPage {
  tags: string[];
  /** Relative URL query of the next page, or `null` if there is none. */
  next: string | null;
}

/**
 * Maximum number of tags in one response, even if the request sets no limit. The `Link` header contains the URL of the
 * next page.
 */
export const MOST_TAGS = 10_000;

/**
 * Parses the query of a tag list. Ignores unknown parameters, as registries do.
 * @returns `null` if `n` is not a non-negative whole number
 */
export function tagPageRequest(query: string): TagPageRequest | null {
  const parameters = new URLSearchParams(query);
  const [n = String(MOST_TAGS), ...more] = parameters.getAll('n');
  // Rejects a query with two values of `n`, because a proxy could read another value than Davit.
  if (more.length > 0 || !/^\d+$/.test(n)) return null;
  return { n: Math.min(Number(n), MOST_TAGS), last: parameters.get('last') ?? '' };
}

/** Sorts the tags of a repository and returns one page of them. */
export function tagPage(all: readonly string[], { n, last }: TagPageRequest): TagPage {
  const after = last === '' ? '' : keyOf(last);
  const keys = [...new Set(all)].map(keyOf).filter((key) => key > after);
  const tags = keys
    .sort()
    .slice(0, n)
    .map((key) => key.slice(key.indexOf(END) + 1));
  const end = tags.at(-1);
  // A page without tags has no `Link` header to a next page. The specification requires this for `n=0`.
  const hasNext = end !== undefined && keys.length > n;
  return { tags, next: hasNext ? new URLSearchParams({ n: String(n), last: end }).toString() : null };
}

/** Separator in sort keys of tags. The separator is smaller than all characters of a tag. */
const END = '\0';

/**
 * Returns a sort key. The specification wants an order that ignores case. Tags that differ only in case must also have
 * an order, because a page begins after a tag.
 */
function keyOf(tag: string): string {
  return `${tag.toLowerCase()}${END}${tag}`;
}
