import assert from 'node:assert/strict';
import { test } from 'node:test';
import { once } from './once.ts';

test('creates the value at the first call, and only once, even if the value is undefined', () => {
  let calls = 0;
  const value = once(() => {
    calls += 1;
    return undefined;
  });
  assert.equal(calls, 0);
  value();
  value();
  assert.equal(calls, 1);
});
