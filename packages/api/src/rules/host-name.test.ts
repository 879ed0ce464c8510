import assert from 'node:assert/strict';
import test from 'node:test';
import { normalizeHost, readHost } from './host-name.ts';

test('normalizeHost returns a single spelling for equivalent host names', () => {
  const spellings: [string, string][] = [
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['例え。jp', 'xn--r8jz45g.jp'],
    ['localhost', 'localhost'],
    ['_acme.example.com', '_acme.example.com'],
    ['10.0.0.1', '10.0.0.1'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ];

  for (const [input, expected] of spellings) assert.equal(normalizeHost(input), expected, input);
});

test('normalizeHost returns the same spelling as browsers', () => {
  const inputs = [
    'davıt.test',
    'DAVİT.test',
    'ｄａｖｉｔ.test',
    'daviſt.test',
    'faß.example',
    'K.example',
    '例え。jp',
    'dаvit.test',
  ];

  for (const input of inputs) assert.equal(normalizeHost(input), new URL(`http://${input}/`).hostname, input);
  // A letter that only looks like another letter results in another name, which is not below the instance's domain.
  assert.equal(normalizeHost('davıt.test'), 'xn--davt-nza.test');
});

test('normalizeHost returns a normalized host name unchanged', () => {
  for (const input of ['BÜCHER.example.', 'A.b.C', '例え。jp']) {
    const once = normalizeHost(input);

    assert.equal(normalizeHost(once ?? ''), once);
  }
});

test('normalizeHost returns null for an invalid host name', () => {
  const refused = [
    '',
    '.',
    'example.com:80',
    '*.example.com',
    'a..b',
    '.example.com',
    'example.com..',
    '-a.example.com',
    'a-.example.com',
    'a b.example.com',
    'a/b',
    'user@example.com',
    '[::1]',
    'exa%6dple.com',
    'example.com\n',
    'example.com\u0000',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}com`,
  ];

  for (const input of refused) assert.equal(normalizeHost(input), null, JSON.stringify(input));
});

test('readHost refuses wildcards, short names and all spellings of an IPv4 address', () => {
  const refused = ['*.a.example', 'web', 'web.', '10.0.0.1', '10.0.0.1.', '0x7f.1', '2130706433', '10.1', '１０.0.0.1'];

  for (const input of refused) assert.ok('problem' in readHost(input), input);
  assert.deepEqual(readHost('WWW.Shop.Example.'), { host: 'www.shop.example' });
});
