import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import type { ListPage, Position } from '../src/store/types.ts';
import { NaiveCatalog } from './support/naive-catalog.ts';
import { everything, openStore, SAMPLE_PASS, sampleRepository, saveTemplate } from './support/sample-store.ts';

const idsOf = ({ templates }: ListPage) => templates.map(({ id }) => id);

/** Asserts that places and indexes are consistent, so that a search misses nothing. */
function assertSound(path: string): void {
  using db = new DatabaseSync(path);
  for (const order of ['recent', 'stars']) {
    const byRank = db.prepare(`SELECT id FROM ${order}_places ORDER BY rank`).all();
    assert.deepEqual(byRank, db.prepare(`SELECT id FROM ${order}_places ORDER BY key DESC, id DESC`).all());
    const ranks = db.prepare(`SELECT rank FROM ${order}_places ORDER BY rank`).all();
    assert.deepEqual(db.prepare(`SELECT rowid AS rank FROM ${order}_grams ORDER BY rowid`).all(), ranks);
    db.exec(`INSERT INTO ${order}_grams (${order}_grams) VALUES ('integrity-check')`);
  }
  const counted = `SELECT count(*) AS count FROM grams c
    WHERE templates <> (SELECT count(*) FROM recent_grams g WHERE g.recent_grams MATCH '"' || c.gram || '"')`;
  assert.equal(db.prepare(counted).get()?.count, 0);
}

test('every page of a search equals the result of a naive list', (context) => {
  const { path, records, reader } = openStore(context);
  const naive = new NaiveCatalog(records, 20_260_102);
  for (const changes of [1_200, 300, 3, 60, 500]) {
    naive.change(changes);
    assertSound(path);
    assert.equal(reader.count(), naive.ids().length);
    for (let i = 0; i < 120; i += 1) {
      const query = naive.query();
      const page = reader.list(query);
      assert.deepEqual({ ids: idsOf(page), next: page.next }, naive.list(query), JSON.stringify(query));
    }
  }
});

for (const sort of ['recent', 'stars'] as const) {
  test(`pages by ${sort} repeat and skip no remaining template during index updates`, (context) => {
    const { records, reader } = openStore(context);
    const naive = new NaiveCatalog(records, 7);
    naive.change(600);
    const stayed = new Set(naive.ids());
    const shown: number[] = [];
    let after: Position | null = null;
    for (let pages = 0; pages === 0 || after; pages += 1) {
      const page: ListPage = reader.list(everything({ sort, limit: 20, after }));
      shown.push(...idsOf(page));
      after = page.next;
      if (pages < 10) for (const id of naive.change(20)) stayed.delete(id);
    }

    const shownAndStayed = shown.filter((id) => stayed.has(id));
    assert.deepEqual(shownAndStayed.toSorted(), [...stayed].sort());
  });
}

test('repeated insertion after the same template keeps the order correct', (context) => {
  const { path, records, reader } = openStore(context);
  const add = (id: number) => saveTemplate(records, sampleRepository(id, { stars: 9 }));
  add(1_000);
  add(1);
  records.publish(SAMPLE_PASS);

  // Each template is inserted directly after the first one, where free ranks run out soon.
  for (let id = 2; id < 60; id += 1) {
    add(id);
    records.publish(SAMPLE_PASS);
  }
  for (let id = 100; id < 400; id += 1) add(id);
  records.publish(SAMPLE_PASS);

  assertSound(path);
  const newest = Array.from({ length: 47 }, (_, i) => 399 - i);
  assert.deepEqual(idsOf(reader.list(everything({ sort: 'stars' }))), [1_000, ...newest]);
});
