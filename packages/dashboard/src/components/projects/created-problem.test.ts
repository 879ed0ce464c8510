import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DavitError, invalidField } from '@davit/api';
import { nameProblem } from './created-problem.ts';

test('a name that is taken or no name is said of at the name', () => {
  assert.equal(nameProblem(new DavitError('conflict', 'There is one already.'), 'slug'), 'There is one already.');
  assert.equal(nameProblem(invalidField('slug', 'too_large', 'must be shorter.'), 'slug'), 'must be shorter.');
  assert.equal(nameProblem(invalidField('image', 'required', 'is required.'), 'slug'), null);
  assert.equal(nameProblem(null, 'slug'), null);
});
