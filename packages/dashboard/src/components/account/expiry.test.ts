import assert from 'node:assert/strict';
import { it } from 'node:test';
import { expiryOf } from './expiry.ts';

const now = Date.parse('2026-11-22T10:00:00.000Z');

it('an API key expires after days, on a date, or never', () => {
  assert.equal(expiryOf('30', '', now), '2026-12-22T10:00:00.000Z');
  assert.equal(expiryOf('never', '2026-12-01', now), null);
  const end = new Date(expiryOf('day', '2026-12-01', now) ?? '');
  assert.deepEqual([end.getFullYear(), end.getMonth(), end.getDate(), end.getHours()], [2026, 11, 1, 23]);
});
