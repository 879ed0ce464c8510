import assert from 'node:assert/strict';
import type { NetworkInterfaceInfo } from 'node:os';
import test from 'node:test';
import { domainOf, publicListenAddress, sslipDomain } from './public-address.ts';

const on = (...addresses: string[]) => ({
  eth0: addresses.map(
    (address) =>
      ({ address, family: address.includes(':') ? 'IPv6' : 'IPv4', internal: false }) as NetworkInterfaceInfo,
  ),
});

test('publicListenAddress returns a public address only if the API listens there', () => {
  const machine = on('10.0.0.5', '5.9.1.2', '2a01:4f8::5');

  assert.equal(publicListenAddress('127.0.0.1', machine), null);
  assert.equal(publicListenAddress('localhost', machine), null);
  assert.equal(publicListenAddress('10.0.0.5', machine), null);
  assert.equal(publicListenAddress('5.9.1.2', machine), '5.9.1.2');
  assert.equal(publicListenAddress('0.0.0.0', machine), '5.9.1.2');
  assert.equal(publicListenAddress('::', machine), '5.9.1.2');
  assert.equal(publicListenAddress('::', on('10.0.0.5', '2a01:4f8::5')), '2a01:4f8::5');
  assert.equal(publicListenAddress('0.0.0.0', on('10.0.0.5', '2a01:4f8::5')), null);
  assert.equal(publicListenAddress('0.0.0.0', on('10.0.0.5', '192.168.1.2', 'fe80::1')), null);
  assert.equal(publicListenAddress('0.0.0.0', {}), null);
});

test('sslipDomain creates a host without two consecutive dashes', () => {
  assert.equal(sslipDomain('5.9.1.2'), '5-9-1-2.sslip.io');
  assert.equal(sslipDomain('2a01:4f8::5'), '2a01-4f8-0-0-0-0-0-5.sslip.io');
  assert.equal(sslipDomain('2a01:4f8:1:2:3:4:5:6'), '2a01-4f8-1-2-3-4-5-6.sslip.io');
  assert.equal(sslipDomain('2a01::'), '2a01-0-0-0-0-0-0-0.sslip.io');
});

test('domainOf prefers the settings, then the configuration, then the public address', () => {
  const from = { domain: null, publicAddress: null, configured: 'localhost', isConfigured: false, listenAddress: null };

  assert.deepEqual(domainOf(from), { domain: 'localhost', address: null });
  assert.deepEqual(domainOf({ ...from, listenAddress: '5.9.1.2' }), { domain: '5-9-1-2.sslip.io', address: '5.9.1.2' });
  assert.deepEqual(domainOf({ ...from, listenAddress: '5.9.1.2', publicAddress: '5.9.1.3' }).address, '5.9.1.3');
  assert.equal(domainOf({ ...from, listenAddress: '5.9.1.2', isConfigured: true }).domain, 'localhost');
  assert.equal(
    domainOf({ ...from, isConfigured: true, configured: 'a.example', domain: 'b.example' }).domain,
    'b.example',
  );
});
