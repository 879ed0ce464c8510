/** A span of time, in seconds since 1970, both ends within it; null: open. */
export interface Slice {
  from: number | null;
  to: number | null;
}

/** More than that of one search is never told. */
export const SEARCH_CAP = 1_000;
/** How full slices are made: the rest is room for what is created until the next pass. */
const FILL = 900;
/** Neighbours with less than that together become one again. */
const MERGE = FILL / 2;
/** How many parts are counted in one request. */
const PARTS = 16;
/** Before there was a GitHub. */
const EARLIEST_S = Date.UTC(2007, 0) / 1000;
const DAY_S = 86_400;

export const WHOLE: Slice = { from: null, to: null };

/** The part of a search that keeps to a slice; empty for all of time. */
export function createdWithin({ from, to }: Slice): string {
  if (from === null && to === null) return '';
  if (from === null) return `created:<=${stamp(to ?? 0)}`;
  return to === null ? `created:>=${stamp(from)}` : `created:${stamp(from)}..${stamp(to)}`;
}

/** Equal parts of a slice that leave nothing out; a slice of one second is its only part. @param nowS seconds since 1970 */
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

/** Joins neighbours as long as they fill one slice together. */
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

/** What is kept of the slices of a pass for the next one. */
export function settle(counted: readonly { slice: Slice; count: number }[]): Slice[] {
  return pack(counted, MERGE);
}

function stamp(second: number): string {
  return new Date(second * 1000).toISOString().replace('.000Z', 'Z');
}
