import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNoPush } from './use-key.ts';

test('a key can push images unless its role is viewer', () => {
  assert.equal(whyNoPush('viewer'), 'This key can only read. To push images, create a key with the role member.');
  assert.equal(whyNoPush('member'), null);
  assert.equal(whyNoPush('admin'), null);
});
