import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deferred } from './deferred.ts';

test('deferred returns a promise that its caller resolves', async () => {
  const { promise, resolve } = deferred<number>();
  resolve(1);
  assert.equal(await promise, 1);
});

test('deferred returns a promise that its caller rejects', async () => {
  const { promise, reject } = deferred<number>();
  reject(new Error('refused'));
  await assert.rejects(promise, /^Error: refused$/);
});
