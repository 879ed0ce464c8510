import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { NewestLines } from './newest-lines.ts';

function kept(lines: string[], maxLines: number, maxBytes: number): NewestLines {
  const newest = new NewestLines(maxLines, maxBytes);
  for (const line of lines) newest.push(line);
  return newest;
}

test('the newest lines are kept, as many as asked for', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.nat(20), (lines, max) => {
      const expected = max === 0 ? [] : lines.slice(-max);
      const newest = kept(lines, max, 1e9);
      assert.equal(newest.text(), expected.map((line) => `${line}\n`).join(''));
      assert.equal(newest.wereCut, lines.length > max);
    }),
  );
});

test('the size is bounded, whatever the number of lines', () => {
  const newest = kept(['x'.repeat(600), 'y'.repeat(600), 'z'.repeat(200)], Number.POSITIVE_INFINITY, 1_000);

  assert.equal(newest.text(), `${'y'.repeat(600)}\n${'z'.repeat(200)}\n`);
  assert.ok(newest.wereCut);
});

test('one line that is larger than the bound is left out', () => {
  assert.equal(kept(['x'.repeat(2_000)], 10, 1_000).text(), '');
});
