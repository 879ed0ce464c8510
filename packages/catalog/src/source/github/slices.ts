/**
 * Creation times of the Git repositories in a GitHub search, inclusive, in seconds since 1970. `null` means no limit.
 */
export interface Slice {
  from: number | null;
  to: number | null;
}

/** Maximum number of results that GitHub returns for one search. */
export const SEARCH_CAP = 1_000;
/**
 * Maximum number of results in a new time span. GitHub's limit is 1,000, but more repositories may be created before
 * the next indexing run.
 */
const FILL = 900;
/**
 * Two neighboring time spans of a GitHub search are merged if the sum of their search results is at most this number.
 */
const MERGE = FILL / 2;
/**
 * Time spans with too many results are divided into this number of parts. One request counts the results of all parts.
 */
const PARTS = 16;
/** Start of 2007, in seconds since 1970. All repositories on GitHub were created later. */
const EARLIEST_S = Date.UTC(2007, 0) / 1000;
const DAY_S = 86_400;

export const WHOLE: Slice = { from: null, to: null };

/** Returns a time span as a filter of a GitHub search. The filter is empty if the span has no limits. */
export function createdWithin({ from, to }: Slice): string {
  if (from === null && to === null) return '';
  if (from === null) return `created:<=${stamp(to ?? 0)}`;
  return to === null ? `created:>=${stamp(from)}` : `created:${stamp(from)}..${stamp(to)}`;
}

/**
 * Divides a time span into equal parts without gaps. A span of one second is returned unchanged.
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
 * Merges neighboring time spans of a GitHub search if they have few results. The next indexing run then needs fewer
 * searches.
 */
export function settle(counted: readonly { slice: Slice; count: number }[]): Slice[] {
  return pack(counted, MERGE);
}

function stamp(second: number): string {
  return new Date(second * 1000).toISOString().replace('.000Z', 'Z');
}
