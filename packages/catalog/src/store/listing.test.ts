import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import type { SourceRepository } from '../source/source.ts';
import { fold, foldName, foldQuery, spaced } from './fold.ts';
import { openReader } from './reader.ts';
import { openRecords } from './records.ts';
import { everything, SAMPLE_PASS, sampleRelease, sampleRepository, saveTemplate, temporaryFolder } from './testing.ts';
import type { CatalogReader, CrawlRecords, ListPage, ListQuery, Position, Sort } from './types.ts';

interface Sides {
  path: string;
  records: CrawlRecords;
  reader: CatalogReader;
}

function openBoth(context: TestContext): Sides {
  const path = join(temporaryFolder(context), 'catalog.db');
  const records = openRecords(path);
  const reader = openReader(path);
  context.after(() => {
    reader[Symbol.dispose]();
    records[Symbol.dispose]();
  });
  return { path, records, reader };
}

/** The same numbers in every run. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Listed {
  repository: SourceRepository;
  published: number;
}

const TOPICS = ['davit-template', 'web', 'chat', 'c++', 'über', '"', 'topic1'];
const WORDS = [
  'uptime',
  'kuma',
  'Café',
  'CAFE',
  'straße',
  'the',
  'app',
  'a',
  '%',
  "'",
  '\\',
  '"',
  '*',
  '🦀',
  '東京',
  'ıI',
];
const SEPARATORS = [' ', '-', '_', '', '.'];

function randomText(pick: (below: number) => number, words: number): string {
  return Array.from({ length: words }, (_, i) => {
    const separator = i === 0 ? '' : (SEPARATORS[pick(SEPARATORS.length)] ?? '');
    return separator + (WORDS[pick(WORDS.length)] ?? '');
  }).join('');
}

function randomTemplate(pick: (below: number) => number, id: number): Listed {
  const topics = TOPICS.filter((_, i) => pick(i + 2) === 0);
  const name = `${randomText(pick, 1 + pick(3))}-${pick(50)}`;
  const stars = pick(2) * pick(40);
  return {
    repository: sampleRepository(id, { name, description: randomText(pick, pick(8)), stars, topics }),
    // Many of one second, so that the id has to decide.
    published: 1_700_000_000 + pick(300),
  };
}

/** The rule, without any index. */
function naively(
  all: Iterable<Listed>,
  { q, tag, sort, limit, after }: ListQuery,
): { ids: number[]; next: Position | null } {
  const keyOf = ({ repository, published }: Listed) => (sort === 'stars' ? repository.stars : published);
  const found = [...all]
    .filter(({ repository }) => tag === null || repository.topics.includes(tag))
    .filter(
      ({ repository: { name, description } }) =>
        q === null || foldName(name).includes(spaced(q)) || fold(description).includes(q),
    )
    .map((one) => ({ key: keyOf(one), id: one.repository.id }))
    .sort((a, b) => b.key - a.key || b.id - a.id)
    .filter(({ key, id }) => after === null || key < after.key || (key === after.key && id < after.id));
  return {
    ids: found.slice(0, limit).map(({ id }) => id),
    next: found.length > limit ? (found[limit - 1] ?? null) : null,
  };
}

const seen = ({ templates, next }: ListPage) => ({ ids: templates.map(({ id }) => id), next });

function publishTemplate(records: CrawlRecords, { repository, published }: Listed): void {
  const publishedAt = new Date(published * 1000).toISOString().replace('.000Z', 'Z');
  const release = sampleRelease(publishedAt, { publishedAt });
  saveTemplate(records, repository, { release });
}

/** Each change at random; the newest release is the listed one, so that a template only ever gets younger. */
function changeSome(
  records: CrawlRecords,
  listed: Map<number, Listed>,
  pick: (below: number) => number,
  changes: number,
) {
  records.together(() => {
    for (let i = 0; i < changes; i += 1) {
      const id = 1 + pick(2_000);
      const before = listed.get(id);
      if (before && pick(6) === 0) {
        records.hide(id, 'gone');
        listed.delete(id);
        continue;
      }
      const drawn = randomTemplate(pick, id);
      const onlyStars = before && pick(2) === 0;
      const { repository } = onlyStars
        ? { repository: { ...before.repository, stars: before.repository.stars + 1 } }
        : drawn;
      const newest = Math.max(drawn.published, newestOf.get(id) ?? 0, onlyStars ? before.published : 0);
      const after = { repository, published: newest };
      newestOf.set(id, newest);
      publishTemplate(records, after);
      listed.set(id, after);
    }
  });
  records.publish(SAMPLE_PASS);
}
const newestOf = new Map<number, number>();

function randomQuery(pick: (below: number) => number, listed: Map<number, Listed>): ListQuery {
  const some = [...listed.values()][pick(listed.size)]?.repository;
  const text = pick(2) === 0 ? (some?.name ?? '') : (some?.description ?? '');
  const characters = [...text];
  const from = pick(characters.length);
  const part = characters.slice(from, from + 1 + pick(pick(3) === 0 ? 40 : 5)).join('');
  const q = [null, foldQuery(part), foldQuery(randomText(pick, 1 + pick(2)))][pick(3)] || null;
  return everything({
    q,
    tag: pick(2) === 0 ? null : (TOPICS[pick(TOPICS.length)] ?? null),
    sort: (['recent', 'stars'] as const)[pick(2)] ?? 'recent',
    limit: 1 + pick(48),
    after: pick(3) === 0 ? null : { key: pick(2) === 0 ? pick(41) : 1_700_000_000 + pick(300), id: pick(2_000) },
  });
}

/** What places and indexes must be for a search to miss nothing. */
function assertSound(path: string): void {
  using db = new DatabaseSync(path);
  for (const order of ['recent', 'stars']) {
    const byRank = db.prepare(`SELECT id FROM ${order}_places ORDER BY rank`).all();
    assert.deepEqual(byRank, db.prepare(`SELECT id FROM ${order}_places ORDER BY key DESC, id DESC`).all());
    const indexed = db.prepare(`SELECT count(*) AS count FROM ${order}_grams_docsize`).get()?.count;
    assert.equal(indexed, byRank.length);
    db.exec(`INSERT INTO ${order}_grams (${order}_grams) VALUES ('integrity-check')`);
  }
  const miscounted = db.prepare('SELECT count(*) AS count FROM grams WHERE templates < 0').get()?.count;
  assert.equal(miscounted, 0);
}

test('every page of every search is that of a list without an index, while the list changes', (context) => {
  const { path, records, reader } = openBoth(context);
  const pick = chance(20_260_102);
  const listed = new Map<number, Listed>();
  for (const changes of [1_500, 400, 3, 60, 900]) {
    changeSome(records, listed, pick, changes);
    assertSound(path);
    for (let i = 0; i < 150; i += 1) {
      const query = randomQuery(pick, listed);
      assert.deepEqual(seen(reader.list(query)), naively(listed.values(), query), JSON.stringify(query));
    }
  }
});

test('pages read one after the other while the index is refreshed show nothing twice and skip nothing that stayed', (context) => {
  const { records, reader } = openBoth(context);
  const pick = chance(7);
  const listed = new Map<number, Listed>();
  changeSome(records, listed, pick, 1_200);
  for (const sort of ['recent', 'stars'] as Sort[]) {
    const stayed = new Set(naively(listed.values(), everything({ sort, limit: 5_000 })).ids);
    const shown: number[] = [];
    let after: Position | null = null;
    for (let pages = 0; pages === 0 || after; pages += 1) {
      const page: ListPage = reader.list(everything({ sort, limit: 20, after }));
      shown.push(...page.templates.map(({ id }) => id));
      after = page.next;
      if (pages >= 10) continue;
      const before = new Map([...listed].map(([id, one]) => [id, one]));
      changeSome(records, listed, pick, 25);
      for (const [id, one] of before) if (listed.get(id) !== one) stayed.delete(id);
    }
    const missing = [...stayed].filter((id) => !shown.includes(id));
    assert.deepEqual(missing, []);
    const twice = shown.filter((id, i) => shown.indexOf(id) !== i);
    assert.deepEqual(
      twice.filter((id) => stayed.has(id)),
      [],
    );
  }
});

test('new templates keep going to one place of an order without an end', (context) => {
  const { path, records, reader } = openBoth(context);
  const place = (id: number, stars: number) =>
    publishTemplate(records, { repository: sampleRepository(id, { stars }), published: 1_700_000_000 });
  records.together(() => {
    place(1_000_000, 9);
    place(1, 9);
  });
  records.publish(SAMPLE_PASS);

  // Each lands right after the first, until there is no room and more has to be made.
  for (let id = 2; id < 120; id += 1) {
    place(id, 9);
    records.publish(SAMPLE_PASS);
  }

  assertSound(path);
  const ids = reader.list(everything({ sort: 'stars' })).templates.map(({ id }) => id);
  assert.deepEqual(ids, [1_000_000, ...Array.from({ length: 47 }, (_, i) => 119 - i)]);
});
