import assert from 'node:assert/strict';
import test from 'node:test';
import { challengeOf } from './challenge.ts';

test('challengeOf reads the authentication challenges of registries', () => {
  for (const [header, expected] of [
    [
      'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:library/nginx:pull"',
      { scheme: 'bearer', realm: 'https://auth.docker.io/token', service: 'registry.docker.io' },
    ],
    ['bearer REALM=https://a.example/t', { scheme: 'bearer', realm: 'https://a.example/t', service: null }],
    ['Basic realm="locked"', { scheme: 'basic' }],
    ['Basic', { scheme: 'basic' }],
    [
      'Basic realm="a, b", Bearer realm="https://a.example/"',
      { scheme: 'bearer', realm: 'https://a.example/', service: null },
    ],
    ['Bearer realm="https://a.example/\\"x"', { scheme: 'bearer', realm: 'https://a.example/"x', service: null }],
    ['Negotiate abc=, Basic realm="x"', { scheme: 'basic' }],
    ['Bearer service="x"', null],
    ['Digest realm="x"', null],
    [
      `Bearer realm="https://a.example/"${' '.repeat(100_000)}!`,
      { scheme: 'bearer', realm: 'https://a.example/', service: null },
    ],
    [`Basic${' ,'.repeat(50_000)}!`, { scheme: 'basic' }],
    [`${'a'.repeat(100_000)}!`, null],
    ['', null],
    [undefined, null],
  ] as const) {
    assert.deepEqual(challengeOf(header), expected, String(header).slice(0, 200));
  }
});
