import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { parseImageName, registryOf } from './image.ts';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('parseImageName', () => {
  const cases: [image: string, name: ReturnType<typeof parseImageName>][] = [
    ['nginx', {}],
    ['library/nginx', {}],
    ['ghcr.io/acme/shop', {}],
    ['ghcr.io/acme/shop_x/a-b.c__d', {}],
    ['localhost/shop', {}],
    ['registry.example:5000/shop', { registryPort: 5000 }],
    ['localhost:5000/acme/shop', { registryPort: 5000 }],
    ['Registry.Example:05000/shop', { registryPort: 5000 }],
    [`nginx@${DIGEST}`, { digest: DIGEST }],
    [`ghcr.io/acme/shop@${DIGEST}`, { digest: DIGEST }],
    [`registry.example:5000/shop@${DIGEST}`, { digest: DIGEST, registryPort: 5000 }],
    ['nginx:1.29', null],
    ['ghcr.io/acme/shop:1.4.0', null],
    [`nginx:1.29@${DIGEST}`, null],
    ['nginx@sha256:abc', null],
    [`nginx@${DIGEST.toUpperCase()}`, null],
    ['registry.example:5000', null],
    ['registry.example:99999/shop', null],
    ['registry.example:0/shop', null],
    ['Acme/Shop', null],
    ['ghcr.io/', null],
    ['ghcr.io//shop', null],
    ['a b', null],
    ['', null],
    ['[::1]:5000/shop', null],
    ['sha256', null],
    ['127.1:5000/shop', null],
    ['u@registry.example/shop', null],
    ['a'.repeat(237), {}],
    ['a'.repeat(238), null],
  ];
  for (const [image, name] of cases) {
    test(image.slice(0, 80) || 'nothing', () => assert.deepEqual(parseImageName(image), name));
  }
});

describe('registryOf', () => {
  const cases: [image: string, registry: string | null][] = [
    ['nginx', null],
    ['acme/shop', null],
    ['ghcr.io/acme/shop', 'ghcr.io'],
    ['localhost/shop', 'localhost'],
    ['registry:5000/shop', 'registry:5000'],
    ['docker.elastic.co/kibana/kibana', 'docker.elastic.co'],
    ['GHCR.io:443/acme/shop', 'ghcr.io'],
    ['index.docker.io/acme/shop', null],
    ['Registry-1.docker.io/acme/shop', null],
  ];
  for (const [image, registry] of cases) {
    test(`returns for ${image} the registry ${registry ?? 'Docker Hub'}`, () =>
      assert.equal(registryOf(image), registry));
  }
});
