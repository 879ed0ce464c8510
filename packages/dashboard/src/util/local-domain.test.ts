import assert from 'node:assert/strict';
import test from 'node:test';
import { isLocalDomain } from './local-domain.ts';

test('local names and IP addresses are local domains, and all other names are not', () => {
  for (const local of ['localhost', 'davit.localhost', 'server', 'nas.local', 'x.invalid', '192.0.2.1', '2001:db8::1'])
    assert.equal(isLocalDomain(local), true, local);
  for (const named of ['davit.example.com', '192-0-2-1.sslip.io', 'davit.internal', 'notlocalhost.org'])
    assert.equal(isLocalDomain(named), false, named);
});
