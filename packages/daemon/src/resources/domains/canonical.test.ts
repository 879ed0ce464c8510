import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { normalizeNetwork } from './canonical.ts';

test('normalizeNetwork returns one spelling for equivalent addresses and networks', () => {
  for (const [input, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1/32', '192.0.2.1'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['203.0.113.255/25', '203.0.113.128/25'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['::/0', '::/0'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201/120', '192.0.2.0/24'],
    ['::1', '::1'],
  ] as const) {
    assert.equal(normalizeNetwork(input), network, input);
  }
});

test('normalizeNetwork returns null for invalid addresses and networks', () => {
  for (const input of [
    ...['', 'a', '10.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/08', '10.0.0.0/-1', '10.0.0.0/8/8', '010.0.0.1'],
    ...['::/129', 'fe80::1%eth0', '[::1]', '1.2.3.4:80', ' 1.2.3.4', '1.2.3.4 ', 'example.com'],
  ]) {
    assert.equal(normalizeNetwork(input), null, input);
  }
});

test('normalizeNetwork keeps IPv4 addresses and normalizes IPv6 addresses only once', () => {
  fc.assert(fc.property(fc.ipV4(), (address) => normalizeNetwork(address) === address));
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const once = normalizeNetwork(address);
      assert.ok(once !== null && normalizeNetwork(once) === once);
    }),
  );
});
