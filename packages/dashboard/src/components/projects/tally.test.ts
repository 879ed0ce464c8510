import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APP_STATUSES } from '@davit/api';
import { tallyOf, WORST_FIRST } from './tally.ts';

test('counts apps by status, most severe status first', () => {
  const statuses = ['running', 'down', 'running', 'stopped'] as const;
  const tally = tallyOf(statuses.map((status) => ({ status })));
  assert.deepEqual(tally, {
    total: 4,
    parts: [
      ['down', 1],
      ['running', 2],
      ['stopped', 1],
    ],
  });
  assert.deepEqual(tallyOf([]), { total: 0, parts: [] });
});

test('covers every app status in the severity order', () => {
  assert.deepEqual([...WORST_FIRST].sort(), [...APP_STATUSES].sort());
});
