import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Rates } from './rates.ts';

describe('counter growth', () => {
  it('is the difference between two readings', () => {
    const rates = new Rates();
    assert.equal(rates.growth('a', { at: 0, counts: [100, 5] }, 60_000), null);
    assert.deepEqual(rates.growth('a', { at: 10_000, counts: [150, 5] }, 60_000), { seconds: 10, counts: [50, 0] });
  });

  it('is never negative if a counter restarts at 0', () => {
    const rates = new Rates();
    rates.growth('a', { at: 0, counts: [100, 100] }, 60_000);
    assert.deepEqual(rates.growth('a', { at: 10_000, counts: [20, 200] }, 60_000)?.counts, [20, 100]);
  });

  it('is unknown after a gap, at the same time, or after a clock reset', () => {
    const rates = new Rates();
    rates.growth('a', { at: 0, counts: [1] }, 25_000);
    assert.equal(rates.growth('a', { at: 25_001, counts: [2] }, 25_000), null);
    assert.equal(rates.growth('a', { at: 25_001, counts: [3] }, 25_000), null);
    assert.equal(rates.growth('a', { at: 20_000, counts: [4] }, 25_000), null);
    assert.deepEqual(rates.growth('a', { at: 21_000, counts: [5] }, 25_000), { seconds: 1, counts: [1] });
  });

  it('is forgotten for a removed counter', () => {
    const rates = new Rates();
    rates.growth('a', { at: 0, counts: [1] }, 60_000);
    rates.keepOnly(new Map([['b', 1]]));
    assert.equal(rates.growth('a', { at: 1_000, counts: [2] }, 60_000), null);
  });
});
