import assert from 'node:assert/strict';
import { test } from 'node:test';
import { percent, rate } from './amounts.ts';

test('formats amounts with few digits', () => {
  assert.deepEqual([0, 0.34, 1, 42.4].map(percent), ['0 %', '0.3 %', '1 %', '42 %']);
  assert.deepEqual([0, 0.04, 0.05, 12.2, 1_340].map(rate), ['0', '< 0.1', '0.1', '12', '1.3 k']);
});
