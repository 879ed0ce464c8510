import assert from 'node:assert/strict';
import test from 'node:test';
import { ago, counted, shortNumber } from './words.ts';

const NOW = new Date('2026-03-10T12:00:00Z');

test('ago formats a time in the largest unit that fits', () => {
  const expected = {
    '2026-03-10T11:59:30Z': 'just now',
    '2026-03-10T11:15:00Z': '45 minutes ago',
    '2026-03-10T01:00:00Z': '11 hours ago',
    '2026-03-09T11:00:00Z': 'yesterday',
    '2026-03-02T12:00:00Z': 'last week',
    '2025-12-10T12:00:00Z': '2 months ago',
    '2023-01-01T00:00:00Z': '3 years ago',
    // The clock of a host may be ahead of the local clock.
    '2026-03-10T14:30:00Z': 'in 2 hours',
  };
  for (const [iso, words] of Object.entries(expected)) assert.equal(ago(iso, NOW), words);
});

test('counted and shortNumber format amounts in readable units', () => {
  assert.deepEqual([counted(1, 'app'), counted(1_200, 'app')], ['1 app', '1,200 apps']);
  assert.deepEqual([shortNumber(999), shortNumber(12_345)], ['999', '12.3K']);
});
