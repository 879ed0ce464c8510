import assert from 'node:assert/strict';
import test from 'node:test';
import { isLocalDomain } from './local-domain.ts';

test('local names and IP addresses are local domains, and all other names are not', () => {
  const local = ['localhost', 'davit.localhost', 'server', 'nas.local', 'x.invalid', '192.0.2.1', '2001:db8::1'];
  const named = ['davit.example.com', '192-0-2-1.sslip.io', 'davit.internal', 'notlocalhost.org'];
  assert.deepEqual(local.map(isLocalDomain), local.map(() => true));
  assert.deepEqual(named.map(isLocalDomain), named.map(() => false));
});
