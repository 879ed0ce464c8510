import assert from 'node:assert/strict';
import test from 'node:test';
import { dnsRecordFor } from './dns-hint.ts';

const instance = { domain: 'davit.example.com', address: null };

test('a subdomain gets a CNAME record, and a two-label host an A record', () => {
  assert.deepEqual(dnsRecordFor('shop.acme.org', instance), {
    name: 'shop.acme.org',
    type: 'CNAME',
    value: 'davit.example.com.',
  });
  assert.deepEqual(dnsRecordFor('acme.org', instance), {
    name: 'acme.org',
    type: 'A',
    value: 'the IP address of davit.example.com',
  });
});

test('the record type matches a known IPv4 or IPv6 address', () => {
  assert.deepEqual(dnsRecordFor('acme.org', { ...instance, address: '192.0.2.1' }), {
    name: 'acme.org',
    type: 'A',
    value: '192.0.2.1',
  });
  assert.deepEqual(dnsRecordFor('acme.org', { ...instance, address: '2001:db8::1' }), {
    name: 'acme.org',
    type: 'AAAA',
    value: '2001:db8::1',
  });
});

test('hosts at or below the instance’s domain need no record', () => {
  assert.equal(dnsRecordFor('web.davit.example.com', instance), null);
  assert.equal(dnsRecordFor('davit.example.com', instance), null);
});

test('an instance with only a local domain suggests no record, unless its address is known', () => {
  for (const domain of ['localhost', 'server', '192.0.2.1']) {
    assert.equal(dnsRecordFor('shop.acme.org', { domain, address: null }), 'unknown');
    assert.deepEqual(dnsRecordFor('shop.acme.org', { domain, address: '192.0.2.1' }), {
      name: 'shop.acme.org',
      type: 'A',
      value: '192.0.2.1',
    });
    assert.equal(dnsRecordFor('shop.localhost', { domain, address: null }), null);
  }
});
