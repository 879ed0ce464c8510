import assert from 'node:assert/strict';
import test from 'node:test';
import { authorityOf, isLocalName, registeredDomain } from './authority.ts';

test('isLocalName distinguishes local names from public names', () => {
  const local = [
    'localhost',
    'davit',
    'a.localhost',
    'x.test',
    'db.internal',
    'nas.local',
    '192.0.2.1',
    'router.home.arpa',
  ];
  const public_ = ['example.com', 'localhost.example.com', 'test.example.com', 'mytest', 'attest.io'].filter((n) =>
    n.includes('.'),
  );

  for (const name of local) assert.equal(isLocalName(name), true, name);
  for (const name of public_) assert.equal(isLocalName(name), false, name);
});

test('registeredDomain returns two labels, or three below a country’s second level', () => {
  const domains = {
    'example.com': 'example.com',
    'a.b.example.com': 'example.com',
    '*.shop.example.com': 'example.com',
    'shop.example.co.uk': 'example.co.uk',
    'co.uk': 'co.uk',
    'a.example.de': 'example.de',
    '1-2-3-4.sslip.io': 'sslip.io',
  };

  for (const [name, domain] of Object.entries(domains)) assert.equal(registeredDomain(name), domain, name);
});

test('authorityOf treats an unknown authority as private without limits', () => {
  const own = authorityOf('https://ca.example.com:14000/acme/directory');

  assert.deepEqual(own, { name: 'ca.example.com', public: false, limits: [] });
  assert.equal(authorityOf('https://acme-v02.api.letsencrypt.org/directory').public, true);
});
