import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byNameAndNumber } from './name-order.ts';

test('sorts names by text, and the numbers in them by value', () => {
  const names = ['web-10-2', 'web-9-1', 'api-1', 'web', 'web-10-10', 'web-10-1', ''];
  assert.deepEqual(names.toSorted(byNameAndNumber), [
    '',
    'api-1',
    'web',
    'web-9-1',
    'web-10-1',
    'web-10-2',
    'web-10-10',
  ]);
});

test('compares a number with a text like two texts', () => {
  assert.ok(byNameAndNumber('1', 'a') < 0);
  assert.ok(byNameAndNumber('a', '1') > 0);
  assert.equal(byNameAndNumber('a1', 'a1'), 0);
});
