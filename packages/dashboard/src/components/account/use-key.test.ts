import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstRole, whyNoPush } from './use-key.ts';

test('a key can push images unless its role is viewer', () => {
  assert.equal(
    whyNoPush('viewer', 'admin'),
    'This key can only read. To push images, create a key with the role member.',
  );
  assert.equal(whyNoPush('member', 'member'), null);
  assert.equal(whyNoPush('admin', 'admin'), null);
});

test('a viewer learns who can push images, because no key of a viewer can', () => {
  assert.equal(
    whyNoPush('viewer', 'viewer'),
    'This key can only read. Your role is viewer. Ask a user with the role member or admin to push images.',
  );
});

test('a link preselects the role of a new key within the role of the user', () => {
  const roles = (['viewer', 'member', 'admin'] as const).map((own) => firstRole('member', own));
  assert.deepEqual(roles, ['viewer', 'member', 'member']);
  assert.deepEqual([firstRole('1', 'admin'), firstRole('owner', 'admin')], ['viewer', 'viewer']);
});
