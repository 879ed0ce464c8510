/**
 * Splits the tag list of a repository into pages, as the OCI distribution specification requires. The registry software
 * (Distribution 2.8) always returns all tags without an order.
 */

export interface TagPageRequest {
  /** Maximum number of tags on the page. */
  n: number;
  /** The page starts after this tag. The tag need not exist. An empty text means the start of the list. */
  last: string;
}

export interface TagPage {
  tags: string[];
  /** Relative URL query of the next page, or `null` for the last page. */
  next: string | null;
}

/**
 * Maximum number of tags in one response, even if the request sets no limit. If there are more tags, the `Link` header
 * contains the URL of the next page.
 */
export const MOST_TAGS = 10_000;

/**
 * Parses the query of a request for a tag list. Ignores unknown parameters, as other registries do.
 * @returns `null` if `n` is not a non-negative integer
 */
export function tagPageRequest(query: string): TagPageRequest | null {
  const parameters = new URLSearchParams(query);
  const [n = String(MOST_TAGS), ...more] = parameters.getAll('n');
  // A query with two values of `n` is rejected. A proxy could otherwise use a different value than Davit.
  if (more.length > 0 || !/^\d+$/.test(n)) return null;
  return { n: Math.min(Number(n), MOST_TAGS), last: parameters.get('last') ?? '' };
}

/** Sorts the tags of a repository and returns one page of tags. */
export function tagPage(all: readonly string[], { n, last }: TagPageRequest): TagPage {
  const after = last === '' ? '' : keyOf(last);
  const keys = [...new Set(all)].map(keyOf).filter((key) => key > after);
  const tags = keys
    .sort()
    .slice(0, n)
    .map((key) => key.slice(key.indexOf(END) + 1));
  const end = tags.at(-1);
  // A page without tags has no `Link` header to a next page. The specification requires this behavior for `n=0`.
  const hasNext = end !== undefined && keys.length > n;
  return { tags, next: hasNext ? new URLSearchParams({ n: String(n), last: end }).toString() : null };
}

/** Separator in the sort keys of tags. The separator must be smaller than all characters of a tag. */
const END = '\0';

/**
 * Returns the sort key of a tag. The specification requires an order that ignores case. Tags that differ only in case
 * also need an order, because a page starts after a specific tag.
 */
function keyOf(tag: string): string {
  return `${tag.toLowerCase()}${END}${tag}`;
}
