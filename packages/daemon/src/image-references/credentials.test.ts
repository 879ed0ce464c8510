import assert from 'node:assert/strict';
import test from 'node:test';
import { canonicalReference } from '@davit/api';
import { normalizeRegistryHost } from '../resources/registry-credentials/canonical-host.ts';

const registryHostOf = (image: string) => canonicalReference(image)?.host;

test('canonicalReference uses Docker Hub unless the first part must be a host', () => {
  for (const [image, host] of [
    ['nginx', 'docker.io'],
    ['nginx:1.25', 'docker.io'],
    ['acme/web:v1', 'docker.io'],
    ['docker.io/acme/web', 'docker.io'],
    ['registry-1.docker.io/acme/web', 'docker.io'],
    ['localhost/web', 'localhost'],
    ['localhost:5000/web:v1', 'localhost:5000'],
    [`GHCR.io/acme/web@sha256:${'0'.repeat(64)}`, 'ghcr.io'],
    ['ghcr.io:443/acme/web', 'ghcr.io'],
    ['10.0.0.7:5000/a/b/c', '10.0.0.7:5000'],
    ['registry:5000/web', 'registry:5000'],
  ] as const) {
    assert.equal(registryHostOf(image), host, image);
  }
});

test('normalizeRegistryHost returns the same host as the reference of an image', () => {
  for (const [written, reference] of [
    ['ghcr.io', 'ghcr.io/a'],
    ['https://GHCR.IO/', 'ghcr.io/a'],
    ['ghcr.io:443', 'ghcr.io/a'],
    ['https://index.docker.io/v1/', 'acme/web'],
    ['Docker.io', 'nginx'],
    ['localhost', 'localhost/web'],
    ['registry:5000', 'registry:5000/web'],
    ['http://10.0.0.7:5000', '10.0.0.7:5000/web'],
  ] as const) {
    assert.equal(normalizeRegistryHost(written), registryHostOf(reference), written);
  }
});

test('normalizeRegistryHost returns null for a host that no image can use', () => {
  for (const written of [
    'registry',
    'a/b',
    'ghcr.io/acme',
    'a..b',
    '-a.b',
    'a b.c',
    'a.b:0',
    'a.b:99999',
    'a.b:',
    'u@a.b',
    '[::1]:5000',
  ]) {
    assert.equal(normalizeRegistryHost(written), null, written);
  }
});
