import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mapPage, type PageQuery, pageOf } from './paging.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const page = (query: PageQuery, rows: readonly string[] = names) => pageOf(rows, (row) => row, query);

it('pageOf returns the whole list without a next page if no limit is given', () => {
  assert.deepEqual(page({}), { items: names, next: null });
});

it('pageOf returns no next cursor on the last page', () => {
  const first = page({ limit: 2 });
  const second = page({ limit: 2, cursor: first.next ?? '' });
  const third = page({ limit: 2, cursor: second.next ?? '' });
  assert.deepEqual([first.items, second.items, third.items], [['a', 'b'], ['c', 'd'], ['e']]);
  assert.equal(third.next, null);
  assert.equal(page({ limit: 5 }).next, null);
  assert.deepEqual(page({ limit: 3 }, []), { items: [], next: null });
});

it('pageOf continues at the same position if the previous item was deleted', () => {
  const { next } = page({ limit: 2 });
  assert.deepEqual(page({ limit: 2, cursor: next ?? '' }, ['a', 'c', 'd']).items, ['c', 'd']);
  assert.deepEqual(page({ limit: 2, cursor: next ?? '' }, ['a']).items, []);
});

it('pageOf refuses an invalid cursor', () => {
  for (const cursor of ['', '!', 'YQ==', 'a', 'Y']) assert.throws(() => page({ cursor }), { code: 'invalid_input' });
});

it('mapPage maps only the items of the page', () => {
  assert.deepEqual(mapPage(page({ limit: 1 }), (name) => name.toUpperCase()).items, ['A']);
});
