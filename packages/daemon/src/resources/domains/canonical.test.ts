import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { normalizeNetwork, normalizePath } from './canonical.ts';

test('normalizePath returns one spelling for equivalent paths', () => {
  for (const [input, path] of [
    [null, ''],
    ['/', ''],
    ['//', ''],
    ['/shop', '/shop'],
    ['/shop/', '/shop'],
    ['/shop//', '/shop'],
    ['/Shop/a.b_c~d', '/Shop/a.b_c~d'],
    ['/%73hop', '/shop'],
    ['/a%3ab%40c', '/a:b@c'],
    ['/a:b@c!$&()*+,=', '/a:b@c!$&()*+,='],
    ['/...', '/...'],
  ] as const) {
    assert.equal(normalizePath(input), path, input ?? 'null');
  }
});

test('normalizePath reports a problem for an invalid path', () => {
  for (const input of [
    ...['', 'shop', 'https://a.example/shop', '/a?b', '/a#b', '/a b', '/a\\b', '/a"b', '/a\u0000', '/a\nb'],
    ...[
      '/a//b',
      '/..',
      '/a/../b',
      '/a/./b',
      '/%2e%2e/b',
      '/a/%2E',
      '/a%2fb',
      '/a%20b',
      '/caf%c3%a9',
      '/a;b',
      "/a'b",
      '/a%5Cb',
      '/a%00',
      '/a%',
      '/a%g0',
    ],
    ...[`/${'a'.repeat(255)}`, '/café', '/\ud800'],
  ]) {
    const found = normalizePath(input);
    assert.ok(typeof found === 'object' && found.problem !== '', input);
  }
});

test('normalizePath does not change an already normalized path', () => {
  fc.assert(
    // Longer paths take seconds to create.
    fc.property(fc.webPath({ size: 'small' }), (input) => {
      const path = normalizePath(input);
      if (typeof path === 'string' && path !== '') assert.equal(normalizePath(path), path);
    }),
  );
});

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
