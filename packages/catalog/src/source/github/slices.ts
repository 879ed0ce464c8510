/**
 * Time span of a GitHub search for Git repositories by creation time. Both ends are inclusive, in seconds since 1970.
 * `null` means no limit.
 */
export interface Slice {
  from: number | null;
  to: number | null;
}

/** Maximum number of results that GitHub returns for one search. */
export const SEARCH_CAP = 1_000;
/**
 * Maximum number of search results in a new time span. GitHub's limit is 1,000. The difference is a reserve for
 * repositories that are created before the next indexing run.
 */
const FILL = 900;
/**
 * Two neighboring time spans of a GitHub search are merged if they have at most this number of search results together.
 */
const MERGE = FILL / 2;
/**
 * Number of parts into which a time span with too many search results is divided. One request counts the results of all
 * parts.
 */
const PARTS = 16;
/** Start of 2007, in seconds since 1970. All repositories on GitHub are newer. */
const EARLIEST_S = Date.UTC(2007, 0) / 1000;
const DAY_S = 86_400;

export const WHOLE: Slice = { from: null, to: null };

/** Returns a time span as a filter of a GitHub search. Returns an empty filter if the time span has no limits. */
export function createdWithin({ from, to }: Slice): string {
  if (from === null && to === null) return '';
  if (from === null) return `created:<=${stamp(to ?? 0)}`;
  return to === null ? `created:>=${stamp(from)}` : `created:${stamp(from)}..${stamp(to)}`;
}

/**
 * Divides a time span into equal parts without gaps. Returns a time span of one second unchanged.
 * @param nowS current time in seconds since 1970
 */
export function partsOf({ from, to }: Slice, nowS: number): Slice[] {
  const start = from ?? EARLIEST_S;
  const end = to ?? Math.max(start, nowS + DAY_S);
  const count = Math.min(PARTS, end - start + 1);
  const edge = (index: number) => start + Math.floor(((end - start + 1) * index) / count);
  return Array.from({ length: count }, (_, index) => ({
    from: index === 0 ? from : edge(index),
    to: index === count - 1 ? to : edge(index + 1) - 1,
  }));
}

/**
 * Merges neighboring time spans of a GitHub search, so that fewer searches are needed.
 * @param most maximum number of search results in a merged time span
 */
export function pack(counted: readonly { slice: Slice; count: number }[], most: number = FILL): Slice[] {
  const packed: { slice: Slice; count: number }[] = [];
  for (const { slice, count } of counted) {
    const last = packed.at(-1);
    if (last && last.count + count <= most) {
      last.slice = { from: last.slice.from, to: slice.to };
      last.count += count;
    } else {
      packed.push({ slice, count });
    }
  }
  return packed.map(({ slice }) => slice);
}

/**
 * Merges neighboring time spans of a GitHub search if they have few results. As a result, the next indexing run needs
 * fewer searches.
 */
export function settle(counted: readonly { slice: Slice; count: number }[]): Slice[] {
  return pack(counted, MERGE);
}

function stamp(second: number): string {
  return new Date(second * 1000).toISOString().replace('.000Z', 'Z');
}
