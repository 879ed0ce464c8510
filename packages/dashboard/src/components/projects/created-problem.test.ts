import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DavitError, invalidField } from '@davit/api';
import { nameProblem } from './created-problem.ts';

test('shows a name conflict or validation error at the name field', () => {
  assert.equal(nameProblem(new DavitError('conflict', 'There is one already.'), 'slug'), 'There is one already.');
  assert.equal(nameProblem(invalidField('slug', 'too_large', 'must be shorter.'), 'slug'), 'must be shorter.');
  assert.equal(nameProblem(invalidField('image', 'required', 'is required.'), 'slug'), null);
  assert.equal(nameProblem(null, 'slug'), null);
});
