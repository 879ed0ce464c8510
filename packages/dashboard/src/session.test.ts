import assert from 'node:assert/strict';
import { it } from 'node:test';
import { returnAddress } from './session.ts';

it('returns only dashboard URLs as the target after a login', () => {
  for (const own of [
    '/projects/shop?filter=a#x',
    '/oauth/authorize?client_id=https%3A%2F%2Fa.test%2Fb',
    '/@x',
    '/%2f/x',
  ]) {
    assert.equal(returnAddress(own), own);
  }
  const others = ['//evil.test', '/\\evil.test', '/\t/evil.test', '/./\\evil.test', '/x/..//evil.test', '//[', '/\\['];
  const none = ['https://evil.test/', 'javascript:alert(1)', 'data:text/html,x', 'projects', '', undefined, ['/a'], {}];
  for (const other of [...others, ...none, '/sign-in?to=/sign-in', '/claim', '/api/auth/logout']) {
    assert.equal(returnAddress(other), '/', String(other));
  }
});
