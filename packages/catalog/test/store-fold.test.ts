import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { fold, foldName, foldQuery, spaced } from '../src/store/fold.ts';

const CASES: [string, string][] = [
  ['Uptime KUMA', 'uptime kuma'],
  ['Café, CAFÉ, Cafe\u0301', 'cafe, cafe, cafe'],
  ['Straße', 'strasse'],
  ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
  ['İstanbul ISPARTA ısı', 'istanbul isparta isi'],
  ['Łódź Ærø Œuvre Đặng', 'lodz aero oeuvre dang'],
  ['ｆｕｌｌ ﬁne ①', 'full fine 1'],
  ['no\u00a0break', 'no break'],
  ['각 가', '각 가'],
  ['東京 🦀', '東京 🦀'],
  ['й Ё', 'и е'],
  ['100% \'a\' "b" \\ * _ -', '100% \'a\' "b" \\ * _ -'],
];

for (const [given, folded] of CASES) {
  test(`fold turns “${given}” into “${folded}”`, () => {
    assert.equal(fold(given), folded);
  });
}

test('fold is idempotent and returns well-formed text for any input', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(text, (given) => {
      const once = fold(given);
      assert.equal(fold(once), once);
      assert.ok(once.isWellFormed());
      assert.equal(fold(given.toWellFormed()), once);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('fold replaces an unpaired surrogate with the replacement character', () => {
  assert.equal(fold('a\ud83db'), 'a\ufffdb');
});

test('foldName treats separators alike, and fold keeps separators', () => {
  assert.equal(foldName('Uptime-Kuma_2'), 'uptime kuma 2');
  assert.equal(spaced(foldQuery('uptime_KUMA')), 'uptime kuma');
  assert.equal(fold('self-hosted'), 'self-hosted');
});

test('foldQuery trims spaces, including spaces created by folding', () => {
  assert.equal(foldQuery(' \u00a0 Kuma\u3000'), 'kuma');
  assert.equal(foldQuery(' \u0301 '), '');
});
