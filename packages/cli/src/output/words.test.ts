import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from './words.ts';

test('formats a time with its time zone, so that it is not read as local time', () => {
  assert.equal(minute('2026-01-31T14:05:59.123Z'), '2026-01-31 14:05 UTC');
  assert.equal(minute(null), null);
});
