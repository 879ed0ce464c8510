import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryLines } from './memory-lines.ts';

test('a memory chart has a limit line only for times with a limit', () => {
  const names = (limit: (number | null)[]) => memoryLines([1, 2], limit).map(({ name }) => name);
  assert.deepEqual([names([]), names([null, null]), names([null, 12])], [['used'], ['used'], ['used', 'limit']]);
  assert.deepEqual(memoryLines([1, 2], [null, 12])[1]?.values, [null, 12]);
});
