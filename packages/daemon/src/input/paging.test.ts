import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mapPage, type PageQuery, pageOf } from './paging.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const page = (ask: PageQuery, rows: readonly string[] = names) => pageOf(rows, (row) => row, ask);

it('without a limit a list is whole, and has no next page', () => {
  assert.deepEqual(page({}), { items: names, next: null });
});

it('pages end where the list does', () => {
  const first = page({ limit: 2 });
  const second = page({ limit: 2, cursor: first.next ?? '' });
  const third = page({ limit: 2, cursor: second.next ?? '' });
  assert.deepEqual([first.items, second.items, third.items], [['a', 'b'], ['c', 'd'], ['e']]);
  assert.equal(third.next, null);
  assert.equal(page({ limit: 5 }).next, null);
  assert.deepEqual(page({ limit: 3 }, []), { items: [], next: null });
});

it('a page goes on at its place when what it followed is gone', () => {
  const { next } = page({ limit: 2 });
  assert.deepEqual(page({ limit: 2, cursor: next ?? '' }, ['a', 'c', 'd']).items, ['c', 'd']);
  assert.deepEqual(page({ limit: 2, cursor: next ?? '' }, ['a']).items, []);
});

it('a cursor that was never given out is refused', () => {
  for (const cursor of ['', '!', 'YQ==', 'a', 'Y']) assert.throws(() => page({ cursor }), { code: 'invalid_input' });
});

it('only what is shown is made', () => {
  assert.deepEqual(mapPage(page({ limit: 1 }), (name) => name.toUpperCase()).items, ['A']);
});
