import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createdWithin, pack, partsOf, type Slice, settle, WHOLE } from './slices.ts';

const NOW_S = Date.UTC(2026, 5, 1) / 1000;

/** Asserts that consecutive slices have no gap and do not overlap. */
function assertSeamless(slices: readonly Slice[], whole: Slice): void {
  assert.equal(slices[0]?.from, whole.from);
  assert.equal(slices.at(-1)?.to, whole.to);
  for (const [index, slice] of slices.entries()) {
    const next = slices[index + 1];
    if (next) assert.equal((slice.to ?? Number.NaN) + 1, next.from);
    assert.ok(slice.from === null || slice.to === null || slice.from <= slice.to);
  }
}

describe('time slices', () => {
  it('are formatted as the created filter of a GitHub search', () => {
    assert.equal(createdWithin(WHOLE), '');
    assert.equal(createdWithin({ from: null, to: 1 }), 'created:<=1970-01-01T00:00:01Z');
    assert.equal(createdWithin({ from: 1, to: null }), 'created:>=1970-01-01T00:00:01Z');
    assert.equal(createdWithin({ from: 1, to: 2 }), 'created:1970-01-01T00:00:01Z..1970-01-01T00:00:02Z');
  });

  it('are divided into at most 16 parts without a gap', () => {
    const edge = fc.integer({ min: 1_200_000_000, max: NOW_S });
    const bound = fc.record({ from: fc.option(edge), length: fc.option(fc.integer({ min: 0, max: 10_000_000 })) });
    fc.assert(
      fc.property(bound, ({ from, length }) => {
        const whole = { from, to: length === null ? null : (from ?? 1_300_000_000) + length };
        const parts = partsOf(whole, NOW_S);
        assertSeamless(parts, whole);
        assert.ok(parts.length <= 16);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it('are not divided if they are a single second long', () => {
    assert.deepEqual(partsOf({ from: 5, to: 5 }, NOW_S), [{ from: 5, to: 5 }]);
  });

  it('cover the whole range without a gap after pack and settle', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 16 }), (counts) => {
        const parts = partsOf({ from: 0, to: 15_999 }, NOW_S).slice(0, counts.length);
        const whole = { from: parts[0]?.from ?? null, to: parts.at(-1)?.to ?? null };
        const counted = parts.map((slice, index) => ({ slice, count: counts[index] ?? 0 }));
        assertSeamless(pack(counted), whole);
        assertSeamless(settle(counted), whole);
        assert.ok(pack(counted).length <= settle(counted).length);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it('are joined only up to the limit that leaves room for growth', () => {
    const counted = [400, 400, 200, 900, 0].map((count, index) => ({ slice: { from: index, to: index }, count }));
    assert.deepEqual(pack(counted), [
      { from: 0, to: 1 },
      { from: 2, to: 2 },
      { from: 3, to: 4 },
    ]);
  });
});
