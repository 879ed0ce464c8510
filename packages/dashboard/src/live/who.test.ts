import assert from 'node:assert/strict';
import { it } from 'node:test';
import { QueryClient } from '@tanstack/react-query';
import { leaveToWhoComes } from './who.ts';

const KEY = ['getMe', {}, {}];

it('reloads the page if another user signs in elsewhere, but not after a local login', () => {
  const queries = new QueryClient();
  let left = 0;
  queries.setQueryData(KEY, { username: 'ada' });
  leaveToWhoComes(queries, () => {
    left += 1;
  });
  queries.setQueryData(KEY, { username: 'ada', role: 'viewer' });
  queries.setQueryData(['listApps', {}, {}], []);
  assert.equal(left, 0);
  queries.clear();
  queries.setQueryData(KEY, { username: 'bob' });
  assert.equal(left, 0);
  queries.setQueryData(KEY, { username: 'ada' });
  assert.equal(left, 1);
  queries.clear();
});
