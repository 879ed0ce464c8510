import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DnsProviderCreate } from '@davit/api';
import { KNOWN } from './dns-programs.ts';
import { partsOfPem } from './pem.ts';
import { recordFor, stateOf } from './words.ts';

const NOW = Date.parse('2026-11-22T00:00:00.000Z');
const certificate = {
  status: 'active',
  problem: null,
  not_after: '2026-12-01T00:00:00.000Z',
  renews_at: null,
} as const;

it('derives the certificate’s status label from expiry, renewal date and problem', () => {
  assert.equal(stateOf(certificate, NOW).words, 'expires soon');
  assert.equal(stateOf({ ...certificate, renews_at: '2026-11-25T00:00:00.000Z' }, NOW).words, 'valid');
  assert.equal(stateOf({ ...certificate, not_after: '2027-12-01T00:00:00.000Z' }, NOW).words, 'valid');
  assert.equal(stateOf({ ...certificate, problem: 'no record' }, NOW).words, 'renewal failed');
  assert.equal(stateOf({ ...certificate, status: 'expired', problem: 'no record' }, NOW).words, 'expired');
  assert.equal(stateOf({ ...certificate, status: 'not_yet_valid' }, NOW).words, 'not valid yet');
});

describe('DNS record for a host', () => {
  it('returns an A or AAAA record if the server’s address is known', () => {
    const to = { domain: 'davit.example.com', address: '198.51.100.7' };
    assert.deepEqual(recordFor('shop.com', to), { name: 'shop.com', type: 'A', value: '198.51.100.7' });
    assert.equal(recordFor('shop.com', { ...to, address: '2001:db8::1' })?.type, 'AAAA');
  });

  it('returns a CNAME if the address is unknown, except for subdomains of the instance', () => {
    const to = { domain: 'davit.example.com', address: null };
    assert.deepEqual(recordFor('shop.com', to), { name: 'shop.com', type: 'CNAME', value: 'davit.example.com' });
    assert.equal(recordFor('web.davit.example.com', to), null);
    assert.equal(recordFor('shop.com', { ...to, domain: 'localhost' }), null);
  });
});

it('splits a PEM file into certificates and private key', () => {
  const block = (kind: string) => `-----BEGIN ${kind}-----\nMII=\n-----END ${kind}-----\n`;
  const text = `subject=/CN=x\n${block('CERTIFICATE')}issuer\n${block('EC PRIVATE KEY')}${block('CERTIFICATE')}`;
  assert.deepEqual(partsOfPem(text), { certificate: block('CERTIFICATE').repeat(2), key: block('EC PRIVATE KEY') });
  assert.deepEqual(partsOfPem('nothing of it'), { certificate: '', key: '' });
});

it('defines DNS providers and credentials accepted by the API schema', () => {
  for (const { code, variables } of KNOWN) {
    const credentials = Object.fromEntries(variables.map((name) => [name, 'x']));
    const made = DnsProviderCreate.safeParse({ name: 'one', provider: code, credentials, domains: ['example.com'] });
    assert.ok(made.success, code);
  }
});
