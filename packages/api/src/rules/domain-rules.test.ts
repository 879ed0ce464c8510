import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { isRedirectChain, normalizePath, repeatedHeader } from './domain-rules.ts';

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

test('two redirects form a chain only if the second host and path match', () => {
  const first = { host: 'a.example', path: '/shop', redirect_to: 'b.example' };
  const next = { host: 'b.example', path: '', redirect_to: 'c.example' };

  assert.ok(isRedirectChain(first, next));
  assert.ok(isRedirectChain(first, { ...next, path: '/shop/cart' }));
  assert.ok(!isRedirectChain(first, { ...next, path: '/shopping' }));
  assert.ok(!isRedirectChain(first, { ...next, redirect_to: null }));
  assert.ok(!isRedirectChain(first, { ...next, host: 'd.example' }));
});

test('a repeated header is found in any spelling', () => {
  assert.equal(repeatedHeader({ 'X-A': '1', 'x-b': '2', 'x-a': '3' }), 'x-a');
  assert.equal(repeatedHeader({ 'X-A': '1', 'x-b': '2' }), undefined);
});
