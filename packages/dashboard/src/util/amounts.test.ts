import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, percent, rate } from './amounts.ts';

test('formats amounts with few digits and a unit', () => {
  assert.deepEqual([0, 999, 1_500, 120_400_000, 64_424_509_440].map(bytes), [
    '0 B',
    '999 B',
    '1.5 KB',
    '120 MB',
    '64 GB',
  ]);
  assert.deepEqual([0, 0.34, 1, 42.4].map(percent), ['0 %', '0.3 %', '1 %', '42 %']);
  assert.deepEqual([0, 0.04, 12.2, 1_340].map(rate), ['0', '0', '12', '1.3 k']);
});
