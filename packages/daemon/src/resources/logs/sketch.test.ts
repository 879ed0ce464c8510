import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import fc from 'fast-check';
import { fold, linesWith } from './needle.ts';
import { gramsOf, mayContain, sketchOf } from './sketch.ts';

const Text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 0, maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('a', 'B', '1', ' ', 'Σ', 'İ', 'K', 'ß', 'é'), maxLength: 60 }),
);
const Line = Text.map((text) => text.replaceAll('\n', ' '));

function folded(lines: string[]): Buffer {
  return fold(Buffer.from(lines.map((line) => `${line}\n`).join('')));
}

describe('Bloom filter of log lines', () => {
  test('matches every search text that the log lines contain', () => {
    fc.assert(
      fc.property(
        fc.array(Line, { minLength: 1, maxLength: 40 }),
        fc.nat(),
        fc.nat(),
        fc.nat(20),
        (lines, which, from, length) => {
          const line = Buffer.from(lines[which % lines.length] ?? '').toString();
          const points = [...line.toLowerCase()];
          const begin = from % (points.length + 1);
          const needle = points.slice(begin, begin + length).join('');
          const text = folded(lines);
          const sought = fold(Buffer.from(needle));

          // Folding a part of a line can differ from folding the whole line, for example at the end of a word.
          if (!text.includes(sought)) return;
          assert.ok(mayContain(sketchOf(text), gramsOf(sought)));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('excludes most search texts that the log lines do not contain', () => {
    const lines = Array.from(
      { length: 2_500 },
      (_, n) => `request ${n * 7919} served in ${(n * 31) % 997} ms, id ${(n * 2654435761) % 4294967296}`,
    );
    const sketch = sketchOf(folded(lines));
    const absent = Array.from({ length: 1_000 }, (_, n) => fold(Buffer.from(`Absent-${n}`)));

    assert.equal(absent.filter((needle) => mayContain(sketch, gramsOf(needle))).length, 0);
    const numbers = Array.from({ length: 1_000 }, (_, n) => fold(Buffer.from(`id ${9_000_000_000 + n * 104_729}`)));
    assert.ok(numbers.filter((needle) => mayContain(sketch, gramsOf(needle))).length < 100);
  });

  test('is small for a short text', () => {
    const { short, long } = sketchOf(folded(['ready']));

    assert.equal(short.length + long.length, 16);
  });

  test('matches every search text that is too short for filtering', () => {
    assert.ok(mayContain(sketchOf(folded(['ready'])), gramsOf(fold(Buffer.from('x')))));
  });
});

test('fold converts any text to lower case like toLowerCase', () => {
  fc.assert(
    fc.property(fc.oneof(Text, fc.string({ unit: 'binary-ascii', maxLength: 50 })), (text) => {
      assert.equal(fold(Buffer.from(text)).toString(), Buffer.from(text).toString().toLowerCase());
    }),
    { numRuns: 500 },
  );
});

describe('linesWith', () => {
  test('finds the same lines as a check of each line', () => {
    const Few = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(Few, { maxLength: 30 }),
        Few.filter((text) => text !== ''),
        (lines, needle) => {
          const expected = lines.flatMap((line, n) => (line.includes(needle) ? [n] : []));
          assert.deepEqual(linesWith(folded(lines), Buffer.from(needle)), expected);
        },
      ),
    );
  });

  test('finds lines regardless of letter case in several alphabets', () => {
    const text = folded(['ERROR: Größe', 'ΔΕΛΤΑ', 'fine']);

    assert.deepEqual(linesWith(text, fold(Buffer.from('error'))), [0]);
    assert.deepEqual(linesWith(text, fold(Buffer.from('GRÖSSE'.replace('SS', 'ß')))), [0]);
    assert.deepEqual(linesWith(text, fold(Buffer.from('δελτ'))), [1]);
  });
});
