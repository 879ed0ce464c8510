import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whatKeyCannotDo } from './restriction.ts';

const ADMIN = { role: 'admin', projects: null } as const;
const LIKE_ITS_USER = { role: 'admin', projects: null } as const;

test('an expiry restricts a key that otherwise has all permissions of its user', () => {
  assert.match(whatKeyCannotDo(ADMIN, LIKE_ITS_USER, true) ?? '', /^This key expires, so it cannot create users /);
  assert.equal(whatKeyCannotDo(ADMIN, LIKE_ITS_USER, false), null);
});

test('fewer projects or a lower role restrict a key without an expiry', () => {
  const fewer = /^This key has fewer permissions than you, so it cannot create /;
  assert.match(whatKeyCannotDo(ADMIN, { role: 'admin', projects: ['shop'] }, false) ?? '', fewer);
  assert.match(whatKeyCannotDo(ADMIN, { role: 'member', projects: null }, false) ?? '', fewer);
});

test('a key for all projects of a user with selected projects is not restricted', () => {
  for (const projects of [null, ['shop']])
    assert.equal(whatKeyCannotDo({ role: 'admin', projects: ['shop'] }, { role: 'admin', projects }, false), null);
});

test('only the sentence for an admin key names operations that need the role admin', () => {
  const words = (['viewer', 'member', 'admin'] as const).map((role) =>
    whatKeyCannotDo(ADMIN, { role, projects: null }, true)?.includes('create users'),
  );
  assert.deepEqual(words, [false, false, true]);
});
