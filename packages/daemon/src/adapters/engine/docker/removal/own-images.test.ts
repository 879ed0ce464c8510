import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInstanceImageName, isOwnImageName, isSharedTag } from './own-images.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

test('image names with the id of an instance belong to the instance', () => {
  const names = [
    'davit-k3x9w2ab/shop/production/web:7',
    `localhost:35111/davit-k3x9w2ab/docker.io/library/nginx@${DIGEST}`,
    'davit/haproxy:k3x9w2ab-0123456789ab',
    'davit/haproxy:k3x9w2ab-making',
  ];
  for (const name of names) {
    assert.ok(isOwnImageName('k3x9w2ab', name), name);
    assert.ok(isInstanceImageName(name), name);
    assert.ok(!isOwnImageName('zzzzzzzz', name), name);
    assert.ok(!isSharedTag(name), name);
  }
});

test('image names that only resemble those of an instance belong to other programs', () => {
  const names = [
    'davit-k3x9w2abc/web:1',
    'registry.example/davit-k3x9w2ab/web:1',
    `registry.example:5000/davit-k3x9w2ab/web@${DIGEST}`,
    'localhost:5000/shop/davit-k3x9w2ab/web:1',
    'davit/haproxy:k3x9w2abc-0123456789ab',
    'other/haproxy:k3x9w2ab-0123456789ab',
    'k3x9w2ab:latest',
  ];
  for (const name of names) assert.ok(!isOwnImageName('k3x9w2ab', name), name);
});

test('tags of platform images without an instance id are shared', () => {
  assert.ok(isSharedTag('davit/haproxy:0123456789abcdef'));
  assert.ok(isSharedTag('davit/postgres:15'));
  assert.ok(!isSharedTag('davit-hello:1.0'));
});
