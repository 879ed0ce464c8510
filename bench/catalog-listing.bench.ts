/**
 * Measures the time to read pages of 24 templates without a search from a catalog with 1,000,000 templates. The pages
 * are random: no topic, common and rare topics, both sort orders, and all positions in the list. The reads call the
 * database functions directly, without HTTP. `bench/catalog-search.bench.ts` measures searches.
 */
import { openReader } from '../packages/catalog/src/store/reader.ts';
import type { ListQuery, Position } from '../packages/catalog/src/store/types.ts';
import { filledCatalog, oneOf, pickFrom, positionIn, TOPIC_NAMES } from './support/fill-catalog.ts';
import { conclude, formOf, quantile, rounded } from './support/result.ts';

const LIMIT_MS = 10;
const TEMPLATES = { short: 20_000, usual: 1_000_000, long: 1_000_000 };
const PAGES = { short: 1_000, usual: 10_000, long: 50_000 };
const PAGE_SIZE = 24;

const form = formOf();
const file = filledCatalog(TEMPLATES[form]);
using reader = openReader(file);
const pick = pickFrom(3);

const took: Record<string, number[]> = { everything: [], common_topic: [], rare_topic: [], last_page: [] };
let shown = 0;
for (let n = 0; n < PAGES[form]; n += 1) {
  const [kind, query] = randomQuery(n);
  const began = performance.now();
  const page = reader.list(query);
  took[kind]?.push(performance.now() - began);
  shown += page.templates.length;
}
const all = Object.values(took).flat();
const p99 = rounded(quantile(all, 0.99));
await conclude(
  {
    name: 'catalog-listing',
    promise: `Page of ${PAGE_SIZE} of ${TEMPLATES[form].toLocaleString('en')} templates, with all topics and sort orders, p99`,
    limit: `≤ ${LIMIT_MS} ms`,
    value: p99,
    unit: 'ms',
    ok: p99 <= LIMIT_MS,
    details: {
      ...Object.fromEntries(
        Object.entries(took).map(([kind, times]) => [`${kind}_p99_ms`, rounded(quantile(times, 0.99))]),
      ),
      p50_ms: rounded(quantile(all, 0.5)),
      longest_ms: rounded(Math.max(...all)),
      pages: all.length,
      templates_per_page: rounded(shown / all.length),
      memory_MiB: Math.round(process.memoryUsage().rss / 2 ** 20),
    },
  },
  form,
);

function randomQuery(n: number): [string, ListQuery] {
  const sort = n % 2 === 0 ? 'recent' : 'stars';
  const kind =
    (['everything', 'common_topic', 'rare_topic', 'last_page'] as const)[Math.floor(pick(4))] ?? 'everything';
  const topics = { everything: null, common_topic: oneOf(TOPIC_NAMES.slice(0, 20), pick) };
  const tag = kind === 'rare_topic' ? oneOf(TOPIC_NAMES.slice(-100), pick) : kind === 'last_page' ? null : topics[kind];
  const last: Position = { key: sort === 'stars' ? 0 : 1_600_000_000 + Math.floor(pick(1_000)), id: PAGE_SIZE + 1 };
  const after = kind === 'last_page' ? last : n % 3 === 0 ? null : positionIn(sort, TEMPLATES[form], pick);
  return [kind, { q: null, tag, sort, limit: PAGE_SIZE, after }];
}
