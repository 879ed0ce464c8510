import assert from 'node:assert/strict';
import test from 'node:test';
import { isPublicAddress } from './public-address.ts';

const NOT_PUBLIC = [
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '100.127.255.255', '127.0.0.1', '169.254.1.1', '172.16.0.1', '172.31.9.9'],
  ...[
    '192.0.0.8',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
  ],
  ...['240.0.0.1', '255.255.255.255', '::', '::1', 'fe80::1', 'fc00::1', 'fd12:3456::1', 'ff02::1', '2001:db8::1'],
  ...[
    '2001::1',
    '2001:2::1',
    '2001:10::1',
    '2002::1',
    '3fff::1',
    '::ffff:10.0.0.1',
    '::ffff:1.1.1.1',
    '64:ff9b::1',
    'nothing',
    '',
  ],
];

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.32.0.1',
  '198.20.0.1',
  '2a01:4f8::1',
  '2606:4700::1111',
];

test('what is private, shared by a provider, or for documents and measurements is not public', () => {
  for (const address of NOT_PUBLIC) assert.equal(isPublicAddress(address), false, address);
  for (const address of PUBLIC) assert.equal(isPublicAddress(address), true, address);
});
