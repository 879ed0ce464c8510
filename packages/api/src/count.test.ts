import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count, grouped } from './count.ts';

test('formats a count with a singular or plural noun, and with separators of thousands', () => {
  assert.deepEqual(
    [count(1, 'app'), count(0, 'app'), count(2, 'repository', 'repositories'), count(1_234_567, 'line')],
    ['1 app', '0 apps', '2 repositories', '1,234,567 lines'],
  );
});

test('separates groups of three digits with commas', () => {
  const numbers = [0, 7, 999, 1_000, 12_345, 1_234_567];
  assert.deepEqual(numbers.map(grouped), ['0', '7', '999', '1,000', '12,345', '1,234,567']);
});

test('keeps the decimals of a number', () => {
  assert.deepEqual([count(0.1234567, 'core'), grouped(1_234.5678)], ['0.1234567 cores', '1,234.5678']);
});
