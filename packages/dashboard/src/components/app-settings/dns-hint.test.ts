import assert from 'node:assert/strict';
import test from 'node:test';
import { dnsRecordFor } from './dns-hint.ts';

const place = { domain: 'davit.example.com', address: null };

test('a host of its own is an alias of the instance, and one of two labels an address', () => {
  assert.deepEqual(dnsRecordFor('shop.acme.org', place), {
    name: 'shop.acme.org',
    type: 'CNAME',
    value: 'davit.example.com.',
  });
  assert.deepEqual(dnsRecordFor('acme.org', place), {
    name: 'acme.org',
    type: 'A',
    value: 'the IP address of davit.example.com',
  });
});

test('where the address is known the record is of its kind', () => {
  assert.equal(dnsRecordFor('acme.org', { ...place, address: '192.0.2.1' })?.type, 'A');
  assert.deepEqual(dnsRecordFor('acme.org', { ...place, address: '2001:db8::1' }), {
    name: 'acme.org',
    type: 'AAAA',
    value: '2001:db8::1',
  });
});

test('what is below the instance needs none', () => {
  assert.equal(dnsRecordFor('web.davit.example.com', place), null);
  assert.equal(dnsRecordFor('davit.example.com', place), null);
});
