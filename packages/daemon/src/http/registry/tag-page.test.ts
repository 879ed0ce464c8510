import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MOST_TAGS, type TagPage, type TagPageRequest, tagPage, tagPageRequest } from './tag-page.ts';

const ALL: TagPageRequest = { n: MOST_TAGS, last: '' };
const tag = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,20}$/);
const tags = fc.uniqueArray(tag, { maxLength: 40 });

/** Reads all pages by following the `Link` headers, like a registry client. */
function pagesOf(all: readonly string[], n: number): string[][] {
  const pages: string[][] = [];
  for (let query: string | null = `n=${n}`; query !== null; ) {
    const request = tagPageRequest(query);
    assert.ok(request);
    const page = tagPage(all, request);
    pages.push(page.tags);
    query = page.next;
  }
  return pages;
}

describe('tagPageRequest', () => {
  it('returns the largest page without parameters', () => {
    assert.deepEqual(tagPageRequest(''), ALL);
    assert.deepEqual(tagPageRequest('unknown=1'), ALL);
  });

  it('accepts each non-negative whole number and limits it', () => {
    assert.deepEqual(tagPageRequest('n=2&last=v1'), { n: 2, last: 'v1' });
    assert.deepEqual(tagPageRequest('n=0'), { n: 0, last: '' });
    for (const n of [String(MOST_TAGS + 1), '9'.repeat(400)]) assert.deepEqual(tagPageRequest(`n=${n}`), ALL);
  });

  it('refuses all other values', () => {
    for (const n of ['', '-1', '+1', '1.5', '1e3', '0x10', 'two', ' 1', '1%00', '%D9%A1']) {
      assert.equal(tagPageRequest(`n=${n}`), null, n);
    }
    assert.equal(tagPageRequest('n=1&n=2'), null);
  });
});

describe('tagPage', () => {
  it('sorts without regard to case, and tags that differ only in case always in the same way', () => {
    const sorted = ['1.10', '1.9', 'B', 'b', 'latest', 'V1', 'v10', 'v2'];

    assert.deepEqual(tagPage(sorted.toReversed(), ALL), { tags: sorted, next: null });
    assert.deepEqual(tagPage(sorted, { ...ALL, last: 'B' }).tags, sorted.slice(3));
  });

  it('returns a prefix of another tag first', () => {
    assert.deepEqual(tagPage(['a-b', 'a.b', 'a', 'A_b'], ALL).tags, ['a', 'a-b', 'a.b', 'A_b']);
  });

  it('begins after a tag that does not exist', () => {
    assert.deepEqual(tagPage(['a', 'c', 'd'], { n: 1, last: 'b' }), { tags: ['c'], next: 'n=1&last=c' });
    assert.deepEqual(tagPage(['a', 'c'], { n: 1, last: 'x' }), { tags: [], next: null });
  });

  it('returns no tags and no next page if n is 0', () => {
    assert.deepEqual(tagPage(['a', 'b'], { n: 0, last: '' }), { tags: [], next: null });
  });

  it('returns no next page if the page ends with the last tag', () => {
    assert.deepEqual(tagPage(['b', 'a'], { n: 2, last: '' }), { tags: ['a', 'b'], next: null });
  });

  it('limits a response without n', () => {
    const all = Array.from({ length: MOST_TAGS + 1 }, (_, n) => `v${n}`);

    const page = tagPage(all, tagPageRequest('') ?? ALL);

    assert.equal(page.tags.length, MOST_TAGS);
    assert.match(page.next ?? '', /^n=10000&last=v\d+$/);
  });

  it('returns each tag exactly once over all pages, in the order of the whole list', () => {
    fc.assert(
      fc.property(tags, fc.integer({ min: 1, max: 45 }), (all, n) => {
        const pages = pagesOf(all, n);
        const whole = tagPage(all, ALL).tags;
        assert.deepEqual(pages.flat(), whole);
        assert.deepEqual(whole.toSorted(), all.toSorted());
        for (const page of pages.slice(0, -1)) assert.equal(page.length, n);
      }),
    );
  });

  it('never repeats or skips a tag that exists during the whole listing, if other tags come and go', () => {
    fc.assert(
      fc.property(tags, tags, fc.integer({ min: 1, max: 5 }), (kept, others, n) => {
        const seen: string[] = [];
        let odd = false;
        for (let query: string | null = `n=${n}`; query !== null; odd = !odd) {
          const all = odd ? [...kept, ...others] : kept;
          const page: TagPage = tagPage(all, tagPageRequest(query) ?? ALL);
          seen.push(...page.tags);
          query = page.next;
        }
        assert.equal(new Set(seen).size, seen.length);
        // The listing may end on a page without the other tags, after all kept tags.
        const missing = kept.filter((each) => !seen.includes(each));
        assert.deepEqual(missing, []);
      }),
    );
  });
});
