import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { Durations, durationOf, kindOf, MOST_KINDS } from './durations.ts';

test('a stored duration is exact below 16 ms and within a sixteenth above', () => {
  for (let ms = 0; ms < 16; ms += 1) assert.equal(durationOf(kindOf(ms)), ms);
  fc.assert(
    fc.property(fc.integer({ min: 16, max: 2 ** 29 - 1 }), (ms) => {
      const duration = durationOf(kindOf(ms));
      assert.ok(Math.abs(duration - ms) <= ms / 16, `the histogram reports ${ms} ms as ${duration} ms`);
    }),
  );
});

test('duration buckets have no gaps, and the last bucket takes longer durations', () => {
  let last = 0;
  for (let ms = 1; ms < 100_000; ms += 1) {
    const kind = kindOf(ms);
    assert.ok(kind === last || kind === last + 1, `${ms} ms`);
    last = kind;
  }
  assert.equal(kindOf(2 ** 40), MOST_KINDS - 1);
  assert.equal(kindOf(-5), 0);
});

test('duration quantiles cover all added durations', () => {
  const durations = new Durations();
  for (let ms = 1; ms <= 1_000; ms += 1) durations.add(kindOf(ms));

  for (const share of [0.5, 0.95, 0.99]) {
    const quantile = durations.quantile(share) ?? 0;
    assert.ok(Math.abs(quantile - share * 1_000) <= (share * 1_000) / 16, `${share}: ${quantile}`);
  }
  assert.equal(durations.quantile(0), 1);
  assert.equal(new Durations().quantile(0.5), null);
});
