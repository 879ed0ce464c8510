/**
 * Measures pages and single reads of a catalog with 1,000,000 templates, and compares them with the same reads of a
 * catalog with 1,000 templates. Both catalogs were filled in the same way. Rounds of 500 reads alternate between both.
 * The reads call the database functions directly, without HTTP.
 */
import { openReader } from '../packages/catalog/src/store/reader.ts';
import type { CatalogReader, ListQuery, Position } from '../packages/catalog/src/store/types.ts';
import { filledCatalog, oneOf, type Pick, pickFrom, positionIn, TOPIC_NAMES } from './support/fill-catalog.ts';
import { conclude, formOf, median, rounded } from './support/result.ts';

const LIMIT = 1.5;
const SMALL = 1_000;
const LARGE = { short: 20_000, usual: 1_000_000, long: 1_000_000 };
const ROUNDS = { short: 5, usual: 21, long: 51 };
const READS_A_ROUND = 500;
const PAGE: ListQuery = { q: null, tag: null, sort: 'recent', limit: 24, after: null };

const form = formOf();
const sides = [SMALL, LARGE[form]].map((size) => ({
  size,
  reader: openReader(filledCatalog(size)),
  pick: pickFrom(5),
}));

type Read = (reader: CatalogReader, size: number, pick: Pick, n: number) => unknown;
const sortOf = (n: number) => (n % 2 === 0 ? 'recent' : 'stars');
const READS: Record<string, Read> = {
  first_page: (reader, _size, _pick, n) => reader.list({ ...PAGE, sort: sortOf(n) }),
  // Reads twenty pages of a list in a row, each from the end of the previous page.
  next_page: (reader, _size, _pick, n) => {
    const page = reader.list({ ...PAGE, sort: sortOf(Math.floor(n / 20)), after: n % 20 === 0 ? null : next });
    next = page.next;
    return page;
  },
  page_of_a_topic: (reader, _size, pick, n) =>
    reader.list({ ...PAGE, tag: oneOf(TOPIC_NAMES.slice(0, 3), pick), sort: sortOf(n) }),
  template: (reader, size, pick) => reader.template(...nameOf(size, pick)),
  releases: (reader, size, pick) => reader.releases(...nameOf(size, pick)),
  // Reads from a random position, so that the pages of the large catalog are usually not cached.
  any_page: (reader, size, pick, n) => {
    const { key, id } = positionIn(sortOf(n), size, pick);
    return reader.list({ ...PAGE, sort: sortOf(n), after: { key, id: size / 2 + id / 2 } });
  },
};
let next: Position | null = null;

/** Owners and names of 200 random templates by the size of the catalog. They are read before the measurement. */
const names = new Map<number, [string, string][]>();
for (const { reader, size, pick } of sides) {
  const found = Array.from({ length: 200 }, () => {
    const page = reader.list({ q: null, tag: null, sort: 'recent', limit: 1, after: positionIn('recent', size, pick) });
    return page.templates.map(({ owner, name }): [string, string] => [owner, name]);
  });
  names.set(size, found.flat());
}

function nameOf(size: number, pick: Pick): [string, string] {
  const known = names.get(size) ?? [];
  return known[Math.floor(pick(known.length))] ?? ['', ''];
}

const ratios: Record<string, Record<string, number>> = {};
for (const [kind, read] of Object.entries(READS)) {
  const took = sides.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS[form]; round += 1) {
    for (const [side, { reader, size, pick }] of sides.entries()) {
      const began = performance.now();
      for (let n = 0; n < READS_A_ROUND; n += 1) read(reader, size, pick, n);
      // The first round fills the caches and is not counted.
      if (round > 0) took[side]?.push(((performance.now() - began) * 1_000) / READS_A_ROUND);
    }
  }
  const [small = 0, large = 0] = took.map(median);
  ratios[kind] = { small_us: rounded(small), large_us: rounded(large), ratio: rounded(large / small) };
}
for (const { reader } of sides) reader[Symbol.dispose]();

const worst = Math.max(...Object.values(ratios).map(({ ratio }) => ratio ?? 0));
await conclude(
  {
    name: 'catalog-growth',
    promise: `Slowest page or single read with ${LARGE[form].toLocaleString('en')} templates, compared with ${SMALL.toLocaleString('en')}`,
    limit: `≤ ${LIMIT} ×`,
    value: worst,
    unit: '×',
    ratio: worst,
    ok: worst <= LIMIT,
    details: { ...ratios, rounds: `${ROUNDS[form]} of ${READS_A_ROUND} reads` },
  },
  form,
);
