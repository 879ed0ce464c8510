/**
 * Measures searches in a catalog with 1,000,000 templates, by kind of search term. The searches use both sort orders,
 * with and without a topic, from the first page and from later pages. The search index has the same order as the list,
 * so that a search ends when its page is full. The slowest searches therefore have many candidates and few matches.
 */
import { foldQuery } from '../packages/catalog/src/store/fold.ts';
import { openReader } from '../packages/catalog/src/store/reader.ts';
import type { ListQuery } from '../packages/catalog/src/store/types.ts';
import {
  filledCatalog,
  oneOf,
  type Pick,
  pickFrom,
  positionIn,
  TOPIC_NAMES,
  VOCABULARY,
} from './support/fill-catalog.ts';
import { conclude, formOf, quantile, rounded } from './support/result.ts';

const LIMIT_MS = 50;
/** Limit of the 99th percentile of each kind. */
const LIMIT_PER_KIND_MS = 200;
const TEMPLATES = { short: 20_000, usual: 1_000_000, long: 1_000_000 };
const QUERIES = { short: 200, usual: 1_000, long: 5_000 };
const PAGE_SIZE = 24;

const COMMON = VOCABULARY.slice(0, 10);
const RARE = VOCABULARY.slice(5_000);
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const wordIn = (words: readonly string[], pick: Pick) => words[Math.floor(pick(words.length))] ?? '';
const several = (count: number, of: () => string) => Array.from({ length: count }, of).join(' ');

/** Functions that return a random search term, by kind. */
const SEARCH_TERMS: Record<string, (pick: Pick) => string> = {
  common_word: (pick) => wordIn(COMMON, pick),
  phrase_of_words: (pick) => several(2 + Math.floor(pick(3)), () => oneOf(VOCABULARY, pick)),
  phrase_of_common_words: (pick) => several(2 + Math.floor(pick(3)), () => wordIn(COMMON, pick)),
  repeated_common_word: (pick) =>
    Array(2 + Math.floor(pick(4)))
      .fill(wordIn(COMMON, pick))
      .join(' '),
  rare_word: (pick) => wordIn(RARE, pick),
  part_of_words: (pick) => `${wordIn(COMMON, pick).slice(-3)} ${wordIn(COMMON, pick).slice(0, 2)}`,
  absent: (pick) => `${wordIn(RARE, pick)}${wordIn(RARE, pick)}`,
  one_character: (pick) => wordIn([...LETTERS, '-', '9', 'ж', '東', '%'], pick),
  two_characters: (pick) => wordIn(LETTERS, pick) + wordIn([...LETTERS, ' ', '京'], pick),
  hundred_characters: (pick) => several(30, () => oneOf(VOCABULARY, pick)).slice(0, 100),
};

const form = formOf();
const file = filledCatalog(TEMPLATES[form]);
using reader = openReader(file);
const pick = pickFrom(4);

let slowest = { ms: 0, what: '' };
const took: Record<string, number[]> = {};
for (const kind of Object.keys(SEARCH_TERMS)) {
  const searches = (count: number) => Array.from({ length: count }, (_, n) => search(kind, n));
  // The first searches are not counted, because they read the file from the disk.
  searches(QUERIES[form] / 50);
  took[kind] = searches(QUERIES[form] / Object.keys(SEARCH_TERMS).length);
}

/**
 * Runs the n-th search of a kind.
 * @returns milliseconds
 */
function search(kind: string, n: number): number {
  const q = foldQuery(SEARCH_TERMS[kind]?.(pick) ?? '');
  const sort = n % 2 === 0 ? 'recent' : 'stars';
  const tag = pick(2) < 1 ? null : oneOf(TOPIC_NAMES, pick);
  const after = pick(2) < 1 ? null : positionIn(sort, TEMPLATES[form], pick);
  const query: ListQuery = { q, tag, sort, limit: PAGE_SIZE, after };
  const began = performance.now();
  reader.list(query);
  const ms = performance.now() - began;
  if (ms > slowest.ms) slowest = { ms, what: `${ms.toFixed(0)} ms: “${q}”, ${sort}, ${tag ?? 'any topic'}` };
  return ms;
}

const all = Object.values(took).flat();
const p99 = rounded(quantile(all, 0.99));
const longest = Math.max(...Object.values(took).map((times) => quantile(times, 0.99)));
await conclude(
  {
    name: 'catalog-search',
    promise: `Search in ${TEMPLATES[form].toLocaleString('en')} templates, with ten kinds of searches and all sort orders, p99`,
    limit: `≤ ${LIMIT_MS} ms, no kind over ${LIMIT_PER_KIND_MS} ms`,
    value: p99,
    unit: 'ms',
    ok: p99 <= LIMIT_MS && longest <= LIMIT_PER_KIND_MS,
    details: {
      ...Object.fromEntries(
        Object.entries(took).map(([kind, times]) => [
          kind,
          {
            p50: rounded(quantile(times, 0.5)),
            p99: rounded(quantile(times, 0.99)),
            longest_ms: rounded(Math.max(...times)),
          },
        ]),
      ),
      p50_ms: rounded(quantile(all, 0.5)),
      slowest: slowest.what,
      searches: all.length,
      memory_MiB: Math.round(process.memoryUsage().rss / 2 ** 20),
    },
  },
  form,
);
