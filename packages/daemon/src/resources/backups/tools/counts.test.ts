import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { between, difference, parseCounts } from './counts.ts';

describe('row counts', () => {
  it('parseCounts reads names with any characters and their numbers', () => {
    assert.deepEqual(parseCounts('public.goods\t3\npublic.a\tb\t0\n'), { 'public.goods': 3, 'public.a\tb': 0 });
    assert.deepEqual(parseCounts(''), {});
  });

  it('between returns ranges for names that exist in both counts', () => {
    assert.deepEqual(between({ a: 3, b: 5, gone: 1 }, { a: 3, b: 2, came: 9 }), { a: 3, b: [2, 5] });
  });

  it('difference reports missing names and numbers outside the expected range', () => {
    assert.equal(difference({ a: 3, b: [2, 5] }, { a: 3, b: 4, more: 1 }), null);
    assert.equal(difference({ a: 3 }, {}), '“a” is missing');
    assert.equal(difference({ a: 3 }, { a: 2 }), '“a” has 2 records instead of 3');
    assert.equal(difference({ b: [2, 5] }, { b: 6 }), '“b” has 6 records instead of 2 to 5');
  });
});
