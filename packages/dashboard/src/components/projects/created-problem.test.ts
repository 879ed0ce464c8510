import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DavitError } from '@davit/api';
import { nameProblem } from './created-problem.ts';

test('a name that is taken or no name is said of at the name', () => {
  assert.equal(nameProblem(new DavitError('conflict', 'There is one already.'), 'slug'), 'There is one already.');
  assert.equal(nameProblem(new DavitError('invalid_input', 'slug: must be shorter.'), 'slug'), 'must be shorter.');
  assert.equal(nameProblem(new DavitError('invalid_input', 'image: is required.'), 'slug'), null);
  assert.equal(nameProblem(null, 'slug'), null);
});
