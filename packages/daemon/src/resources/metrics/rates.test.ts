import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Rates } from './rates.ts';

describe('the growth of counters', () => {
  it('is what was added between two looks', () => {
    const rates = new Rates();
    assert.equal(rates.growth('a', { at: 0, counts: [100, 5] }, 60_000), null);
    assert.deepEqual(rates.growth('a', { at: 10_000, counts: [150, 5] }, 60_000), { seconds: 10, counts: [50, 0] });
  });

  it('is never negative: a counter that is lower began at 0', () => {
    const rates = new Rates();
    rates.growth('a', { at: 0, counts: [100, 100] }, 60_000);
    assert.deepEqual(rates.growth('a', { at: 10_000, counts: [20, 200] }, 60_000)?.counts, [20, 100]);
  });

  it('is not known over a gap, at the same moment, or when the clock went back', () => {
    const rates = new Rates();
    rates.growth('a', { at: 0, counts: [1] }, 25_000);
    assert.equal(rates.growth('a', { at: 25_001, counts: [2] }, 25_000), null);
    assert.equal(rates.growth('a', { at: 25_001, counts: [3] }, 25_000), null);
    assert.equal(rates.growth('a', { at: 20_000, counts: [4] }, 25_000), null);
    assert.deepEqual(rates.growth('a', { at: 21_000, counts: [5] }, 25_000), { seconds: 1, counts: [1] });
  });

  it('of what is gone is forgotten', () => {
    const rates = new Rates();
    rates.growth('a', { at: 0, counts: [1] }, 60_000);
    rates.keepOnly(new Map([['b', 1]]));
    assert.equal(rates.growth('a', { at: 1_000, counts: [2] }, 60_000), null);
  });
});
