import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { between, difference, parseCounts } from './counts.ts';

describe('what was counted', () => {
  it('is read from lines of a name, whatever is in it, and a number', () => {
    assert.deepEqual(parseCounts('public.goods\t3\npublic.a\tb\t0\n'), { 'public.goods': 3, 'public.a\tb': 0 });
    assert.deepEqual(parseCounts(''), {});
  });

  it('before and after is a range, of what was there both times', () => {
    assert.deepEqual(between({ a: 3, b: 5, gone: 1 }, { a: 3, b: 2, came: 9 }), { a: 3, b: [2, 5] });
  });

  it('is held against what is found', () => {
    assert.equal(difference({ a: 3, b: [2, 5] }, { a: 3, b: 4, more: 1 }), null);
    assert.equal(difference({ a: 3 }, {}), '“a” is missing');
    assert.equal(difference({ a: 3 }, { a: 2 }), '“a” has 2 records instead of 3');
    assert.equal(difference({ b: [2, 5] }, { b: 6 }), '“b” has 6 records instead of 2 to 5');
  });
});
