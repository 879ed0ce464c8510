import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import {
  canonicalReference,
  canonicalRegistryHost,
  canonicalRepository,
  familiarReference,
  familiarRepository,
  formatReference,
  isHeldName,
  tagOfName,
  withTag,
} from './image-reference.ts';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('canonicalReference with a valid image name', () => {
  const cases: [text: string, canonical: string][] = [
    ['nginx', 'docker.io/library/nginx:latest'],
    ['nginx:1.29', 'docker.io/library/nginx:1.29'],
    ['library/nginx:1.29', 'docker.io/library/nginx:1.29'],
    ['docker.io/nginx:1.29', 'docker.io/library/nginx:1.29'],
    ['Docker.IO/library/nginx:1.29', 'docker.io/library/nginx:1.29'],
    ['index.docker.io/nginx', 'docker.io/library/nginx:latest'],
    ['INDEX.docker.io:0443/nginx', 'docker.io/library/nginx:latest'],
    ['registry-1.docker.io/nginx', 'docker.io/library/nginx:latest'],
    ['registry.hub.docker.com/acme/web', 'docker.io/acme/web:latest'],
    ['acme/web:v1', 'docker.io/acme/web:v1'],
    ['library/a/b', 'docker.io/library/a/b:latest'],
    ['GHCR.io/acme/web', 'ghcr.io/acme/web:latest'],
    ['ghcr.io:443/acme/web', 'ghcr.io/acme/web:latest'],
    ['ghcr.io:00443/acme/web', 'ghcr.io/acme/web:latest'],
    ['ghcr.io:80/acme/web', 'ghcr.io:80/acme/web:latest'],
    ['LOCALHOST:5000/a/b:v1', 'localhost:5000/a/b:v1'],
    ['LocalHost:0005000/a/b:v1', 'localhost:5000/a/b:v1'],
    ['127.0.0.1:5000/a/b:v1', 'localhost:5000/a/b:v1'],
    ['localhost/web', 'localhost/web:latest'],
    ['localhost:443/web', 'localhost:443/web:latest'],
    ['127.0.0.2:443/web', '127.0.0.2:443/web:latest'],
    ['registry:5000/web', 'registry:5000/web:latest'],
    ['10.0.0.7:5000/a/b/c', '10.0.0.7:5000/a/b/c:latest'],
    [`nginx@${DIGEST}`, `docker.io/library/nginx@${DIGEST}`],
    [`nginx:1.29@${DIGEST}`, `docker.io/library/nginx@${DIGEST}`],
    [`a.b/c@sha512:${'a'.repeat(128)}`, `a.b/c@sha512:${'a'.repeat(128)}`],
    ['localhost:5000/sha256:58', 'localhost:5000/sha256:58'],
    ['acme/sha256:58', 'docker.io/acme/sha256:58'],
    ['a'.repeat(237), `docker.io/library/${'a'.repeat(237)}:latest`],
  ];
  for (const [text, canonical] of cases) {
    test(text.slice(0, 80), () => {
      const reference = canonicalReference(text);
      assert.ok(reference);
      assert.equal(formatReference(reference), canonical);
      assert.deepEqual(canonicalReference(canonical), reference, 'the canonical form is its own canonical form');
    });
  }
});

describe('canonicalReference with an invalid image name', () => {
  for (const text of [
    ...[
      '',
      ' ',
      'a b',
      'nginx\n',
      '\u0000',
      '/',
      '/nginx',
      'nginx/',
      'a//b',
      'ghcr.io//a',
      'ghcr.io/',
      'ghcr.io/a/../b',
    ],
    ...['Acme/Shop', 'LOCALHOST/web', 'Registry/web', 'ghcr.io/Acme/web', 'a_-b', 'a___b', 'a..b', '-a', 'a-'],
    ...[
      'u@ghcr.io/a',
      'u:p@localhost:5000/a',
      'http://ghcr.io/a',
      'localhost%3A5000/a',
      'ghcr.io/a%2fb',
      '%6cocalhost/a',
    ],
    ...['localhost.:5000/a', 'ghcr.io./a', '.ghcr.io/a', 'a..b/c', 'my_host:5000/a', 'ghcr.io:/a', 'ghcr.io:0/a'],
    ...[
      'ghcr.io:65536/a',
      'ghcr.io:+5000/a',
      'ghcr.io:5000:1/a',
      'ghcr.io: 5000/a',
      'ghcr.io:0x50/a',
      '\uff4cocalhost:5000/a',
    ],
    ...['[::1]:5000/a', '[::1]/a', '::1:5000/a', '[::ffff:127.0.0.1]:5000/a', '[localhost]:5000/a'],
    ...['127.1:5000/a', '2130706433:5000/a', '0:5000/a', '0x7f.1:5000/a', '0x7f000001:5000/a', '0177.0.0.1:5000/a'],
    ...['127.000.000.001:5000/a', '0.0.0.0:5000/a', '127.0.0.256:5000/a', '1.2.3.4.5:5000/a', '127.0.0.:5000/a'],
    ...['sha256', 'sha256:58', `sha256:${'5'.repeat(64)}`, 'docker.io/sha256:58', 'library/sha256:58', 'sha512:ab'],
    ...['index.docker.io/library/sha256', 'a'.repeat(64), `${'a'.repeat(64)}:1`, `docker.io/${'a'.repeat(64)}`],
    ...['docker.io/a.b/c', 'index.docker.io/localhost/a', 'docker.io/ghcr.io/acme/web'],
    ...['nginx:', 'nginx:.', 'nginx:a:b', `nginx:${'a'.repeat(129)}`, 'nginx@', 'nginx@sha256:abc', `@${DIGEST}`],
    ...[
      `nginx@${DIGEST.toUpperCase()}`,
      `nginx@SHA256:${'a'.repeat(64)}`,
      `nginx@${DIGEST}@${DIGEST}`,
      'nginx@md5:abc',
    ],
    ...['a'.repeat(238), `ghcr.io/${'a'.repeat(248)}`, `${'a'.repeat(64)}.io/a`, `localhost:${'0'.repeat(300)}5000/a`],
  ]) {
    test(JSON.stringify(text.slice(0, 80)), () => assert.equal(canonicalReference(text), null));
  }
});

test('canonicalRepository refuses names with a tag or a digest', () => {
  assert.deepEqual(canonicalRepository('GHCR.io/a'), { host: 'ghcr.io', repository: 'a' });
  assert.deepEqual(canonicalRepository('localhost:05000/a'), { host: 'localhost:5000', repository: 'a' });
  for (const text of ['a:1', 'localhost:5000', 'localhost:5000/a:1', `a@${DIGEST}`, 'sha256']) {
    assert.equal(canonicalRepository(text), null, text);
  }
});

test('familiarRepository returns a short name for the same repository', () => {
  for (const [text, familiar] of [
    ['docker.io/library/nginx', 'nginx'],
    ['index.docker.io/acme/web', 'acme/web'],
    ['library/a/b', 'library/a/b'],
    ['GHCR.io:443/acme/web', 'ghcr.io/acme/web'],
    ['127.0.0.1:05000/a', 'localhost:5000/a'],
  ] as const) {
    const repository = canonicalRepository(text);
    assert.ok(repository);
    assert.equal(familiarRepository(repository), familiar);
    assert.deepEqual(canonicalRepository(familiar), repository);
  }
});

test('familiarReference includes the tag or the digest of the image', () => {
  for (const [text, familiar] of [
    ['docker.io/library/nginx', 'nginx:latest'],
    [`GHCR.io/acme/web:v1@${DIGEST}`, `ghcr.io/acme/web@${DIGEST}`],
  ] as const) {
    const reference = canonicalReference(text);
    assert.equal(reference && familiarReference(reference), familiar);
  }
});

test('isHeldName recognizes names of held images under every alias of the host', () => {
  const isHeld = (text: string) => {
    const repository = canonicalRepository(text);
    assert.ok(repository, text);
    return isHeldName(repository);
  };
  for (const text of [
    'davit-a1b2c3d4/shop',
    'DOCKER.io/davit-a1b2c3d4/a/b',
    'registry-1.docker.io:443/davit-a1b2c3d4/x',
    'localhost:32801/davit-a1b2c3d4/docker.io/library/nginx',
    '127.0.0.1:32801/davit-a1b2c3d4/localhost_5000/web',
    `localhost:32801/davit-a1b2c3d4/${'a'.repeat(64)}`,
  ]) {
    assert.equal(isHeld(text), true, text);
  }
  for (const text of [
    ...['davit/haproxy', 'ghcr.io/davit-a1b2c3d4/shop', 'davit-a1b2/shop'],
    'localhost:5000/davit-a1b2c3d4/production/web',
  ])
    assert.equal(isHeld(text), false, text);
});

test('canonicalRegistryHost normalizes registry hosts and returns null for other text', () => {
  for (const [text, host] of [
    ['GHCR.IO:443', 'ghcr.io'],
    ['registry-1.docker.io', 'docker.io'],
    ['localhost', 'localhost'],
    ['127.0.0.1:05000', 'localhost:5000'],
    ['registry:5000', 'registry:5000'],
    ['registry', null],
    ['', null],
    [':5000', null],
    ['a/b', null],
    ['[::1]:5000', null],
  ] as const) {
    assert.equal(canonicalRegistryHost(text), host, text);
  }
});

test('withTag joins a repository with a tag or a digest, and tagOfName returns it again', () => {
  for (const [repository, tag, image] of [
    ['nginx', '1.29', 'nginx:1.29'],
    ['localhost:5000/a/b', 'v1', 'localhost:5000/a/b:v1'],
    ['localhost:5000/a/b', DIGEST, `localhost:5000/a/b@${DIGEST}`],
  ] as const) {
    assert.equal(withTag(repository, tag), image);
    assert.equal(tagOfName(image), tag);
  }
});
