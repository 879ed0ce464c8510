/** Tests cursors and pagination of the template listing, also while the catalog changes. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { CatalogPage } from '@davit/api/catalog.ts';
import { bootCatalog, type TestCatalog } from '@davit/testkit/catalog';
import fc from 'fast-check';
import { Cursors, cursorKey } from '../src/http/cursor.ts';

const catalog = await bootCatalog();
after(() => catalog[Symbol.asyncDispose]());
catalog.add(
  ...Array.from({ length: 60 }, (_, i) => ({
    ...{ owner: 'walk', name: `app-${i}`, stars: i % 7, topics: i % 2 ? ['odd'] : ['even'] },
    // Twelve releases are published in each second. Among these, the repository ID decides the order.
    releases: [{ publishedAt: `2026-01-01T00:00:0${i % 5}Z` }],
  })),
);

const firstOf = async (query: string) =>
  (await catalog.read<CatalogPage>(`/templates?limit=5&${query}`)).next_cursor ?? '';

async function isRefused(cursor: string, query = ''): Promise<void> {
  const { status, text } = await catalog.get(`/templates?cursor=${cursor}&${query}`);
  assert.equal(status, 400, `${cursor} ${query}`);
  assert.equal(JSON.parse(text).error.code, 'invalid_query');
}

/** Reads all pages of a listing and returns its templates in order. Calls `between` between two pages. */
async function walk(where: TestCatalog, query: string, between: () => void = () => undefined): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = '';
  for (let pages = 0; cursor !== null; pages += 1) {
    assert.ok(pages < 200, 'the walk has no end');
    const page: CatalogPage = await where.read(`/templates?${query}&cursor=${cursor}`);
    found.push(...page.templates.map(({ owner, name }) => `${owner}/${name}`));
    cursor = page.next_cursor;
    between();
  }
  return found;
}

describe('a cursor', () => {
  it('continues after the last template of the page with any limit', async () => {
    const all = await walk(catalog, 'limit=48');
    assert.equal(all.length, 60);
    for (const limit of [1, 7, 13]) assert.deepEqual(await walk(catalog, `limit=${limit}`), all);
    for (const query of ['sort=stars', 'tag=odd', 'q=app', 'q=APP-1&sort=stars', 'tag=even&sort=stars&q=app']) {
      const whole = await walk(catalog, `${query}&limit=48`);
      assert.deepEqual(await walk(catalog, `${query}&limit=3`), whole, query);
      assert.equal(new Set(whole).size, whole.length);
    }
  });

  it('is valid only for the query and sort order of its page', async () => {
    const scopes = ['', 'sort=stars', 'tag=odd', 'tag=even', 'q=app', 'q=a', 'q=app&tag=odd', 'q=app&sort=stars'];
    for (const own of scopes) {
      const cursor = await firstOf(own);
      assert.equal((await catalog.get(`/templates?cursor=${cursor}&${own}`)).status, 200, own);
      for (const other of scopes.filter((one) => one !== own)) await isRefused(cursor, other);
    }
  });

  it('stays valid if an equal query is written differently', async () => {
    const cursor = await firstOf('q=app');
    for (const query of ['q=APP', 'q=%20app+', 'q=%61pp&sort=recent&limit=9&x=1', 'sort=&tag=&q=app'])
      assert.equal((await catalog.get(`/templates?cursor=${cursor}&${query}`)).status, 200, query);
  });

  it('is refused if truncated, extended, in the old format or from another catalog', async () => {
    await using other = await bootCatalog();
    other.add(...Array.from({ length: 3 }, () => ({})));
    const foreign = (await other.read<CatalogPage>('/templates?limit=1')).next_cursor ?? '';
    const own = await firstOf('');
    const older = Buffer.from('1767225600:1001').toString('base64url');
    for (const cursor of [
      foreign,
      older,
      own.slice(1),
      own.slice(0, -1),
      `${own}A`,
      `${own}=`,
      own.repeat(2),
      'AAAA',
      '0',
      '-',
    ])
      await isRefused(cursor);
  });

  it('is refused with invalid_query after any random change', async () => {
    const own = await firstOf('');
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
    const changes = fc.array(fc.tuple(fc.nat(own.length - 1), fc.constantFrom(...letters)), {
      minLength: 1,
      maxLength: 8,
    });
    const changed = fc.sample(changes, { numRuns: 10_000, seed: 1 }).map((edits) => {
      const text = [...own];
      for (const [at, letter] of edits) text[at] = letter;
      return text.join('');
    });
    const mutated = changed.filter((cursor) => cursor !== own);
    assert.ok(mutated.length > 9_500);
    const cursors = new Cursors(cursorKey(catalog.dataDir));
    const scope = { q: null, tag: null, sort: 'recent' } as const;
    assert.ok(cursors.read(own, scope).id > 0, 'the one that is not changed is read');
    for (const cursor of mutated) assert.throws(() => cursors.read(cursor, scope), { code: 'invalid_query' }, cursor);
    // Check that a request with such a cursor is also refused. A sample of the changed cursors is enough.
    await Promise.all(mutated.slice(0, 200).map((cursor) => isRefused(cursor)));
  });

  it('stays valid after a restart, with its key in a private file', async () => {
    await using restarted = await bootCatalog();
    restarted.add(...Array.from({ length: 3 }, () => ({})));
    const { next_cursor } = await restarted.read<CatalogPage>('/templates?limit=1');
    const file = join(restarted.dataDir, 'cursor.key');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(Buffer.from(readFileSync(file, 'utf8'), 'base64').length, 32);

    await restarted.stop();
    await restarted.start();

    assert.equal((await restarted.get(`/templates?limit=1&cursor=${next_cursor}`)).status, 200);
  });
});

describe('pagination while the catalog changes', () => {
  for (const sort of ['recent', 'stars'])
    it(`repeats no template and skips no remaining template if sorted by ${sort}`, async () => {
      await using moving = await bootCatalog();
      const staying = Array.from({ length: 40 }, (_, i) => ({
        id: 100 + i,
        owner: 'stays',
        name: `s-${i}`,
        stars: 100 - i,
      }));
      const going = Array.from({ length: 20 }, (_, i) => ({
        id: 200 + i,
        owner: 'goes',
        name: `g-${i}`,
        stars: 95 - i,
      }));
      moving.add(...staying.flatMap((one, i) => [one, ...going.slice(i, i + 1)]));
      let refreshes = 0;
      const refresh = () => {
        if (refreshes >= 10) return;
        const gone = going[refreshes * 2];
        refreshes += 1;
        if (gone) moving.records.hide(gone.id, 'gone');
        moving.add(
          { owner: 'comes', name: `c-${refreshes}`, stars: 1000 },
          { owner: 'comes', name: `d-${refreshes}`, stars: 0 },
        );
      };

      const seen = await walk(moving, `limit=4&sort=${sort}`, refresh);

      assert.equal(refreshes, 10);
      assert.equal(new Set(seen).size, seen.length, 'something was shown twice');
      const stayed = seen.filter((name) => name.startsWith('stays/'));
      assert.equal(stayed.length, staying.length, 'something that stayed was skipped');
    });
});
