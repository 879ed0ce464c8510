import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APP_STATUSES } from '@davit/api';
import { tallyOf, WORST_FIRST } from './tally.ts';

test('apps are counted by what they are, worst first', () => {
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

test('every status that there is is counted', () => {
  assert.deepEqual([...WORST_FIRST].sort(), [...APP_STATUSES].sort());
});
