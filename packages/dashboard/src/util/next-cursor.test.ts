import assert from 'node:assert/strict';
import { it } from 'node:test';
import { nextCursor } from './next-cursor.ts';

it('reads the next cursor from the Link header', () => {
  const link = '</api/apps/a/b/c/deployments?limit=50&cursor=7>; rel="next"';
  assert.equal(nextCursor(new Headers({ link })), '7');
  assert.equal(nextCursor(new Headers()), null);
  assert.equal(nextCursor(undefined), null);
});
