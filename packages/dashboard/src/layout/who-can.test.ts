import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whoCan } from './who-can.ts';

test('a user without a permission learns which roles have it', () => {
  assert.equal(
    whoCan('viewer', 'operate', 'push images'),
    'Your role is viewer. Ask a user with the role member or admin to push images.',
  );
  assert.equal(
    whoCan('member', 'administer', 'create projects'),
    'Your role is member. Ask a user with the role admin to create projects.',
  );
  assert.equal(whoCan('member', 'operate', 'push images'), null);
});
