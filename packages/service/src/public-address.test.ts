import assert from 'node:assert/strict';
import test from 'node:test';
import { isPublicAddress, isReservedAddress } from './public-address.ts';

const NOT_PUBLIC = [
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '100.127.255.255', '127.0.0.1', '169.254.1.1', '172.16.0.1', '172.31.9.9'],
  ...[
    '168.63.129.16',
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
  '168.63.129.15',
  '168.63.129.17',
  '100.128.0.1',
  '172.32.0.1',
  '198.20.0.1',
  '2a01:4f8::1',
  '2606:4700::1111',
];

test('treats private, shared, documentation and benchmark addresses as not public', () => {
  for (const address of NOT_PUBLIC) assert.equal(isPublicAddress(address), false, address);
  for (const address of PUBLIC) assert.equal(isPublicAddress(address), true, address);
});

test('reserves cloud metadata addresses, but not neighboring addresses', () => {
  const services = [
    ...['169.254.169.254', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fe80::a9fe:a9fe', 'fd00:ec2::254'],
    ...['fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fd00:a9fe:a9fe::1', 'fd00:42::42', 'fd00:100::100:200'],
    ...['::ffff:168.63.129.16', '64:ff9b::169.254.169.254', '64:ff9b::a83f:8110', '64:ff9b::6464:64c8'],
  ];
  for (const address of services) assert.equal(isReservedAddress(address), true, address);
  for (const address of ['100.100.100.201', '168.63.129.17', '192.0.0.193', 'fd00:42::43', '64:ff9b::808:808']) {
    assert.equal(isReservedAddress(address), false, address);
  }
});
