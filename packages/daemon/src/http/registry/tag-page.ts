/**
 * Pages of the tag list of a repository, as the OCI distribution specification defines them. Distribution 2.8 always
 * returns all tags, in no order. Pure functions.
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

/** Maximum number of tags in one response, also of a response without `n`. The `Link` header leads to the rest. */
export const MOST_TAGS = 10_000;

/**
 * Parses the query of a tag list. Ignores unknown parameters, as registries do.
 * @returns `null` if `n` is not a non-negative whole number
 */
export function tagPageRequest(query: string): TagPageRequest | null {
  const parameters = new URLSearchParams(query);
  const [n = String(MOST_TAGS), ...more] = parameters.getAll('n');
  // A repeated `n` is ambiguous: programs between the client and Davit could read the other one.
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
  // Without tags there is no position for a next page. The specification forbids the header if `n` is 0.
  const hasNext = end !== undefined && keys.length > n;
  return { tags, next: hasNext ? new URLSearchParams({ n: String(n), last: end }).toString() : null };
}

/** Character that is smaller than all characters of a tag. */
const END = '\0';

/**
 * Returns a sort key. The specification wants an order that ignores case. Tags that differ only in case must also have
 * an order, because a page begins after a tag.
 */
function keyOf(tag: string): string {
  return `${tag.toLowerCase()}${END}${tag}`;
}
