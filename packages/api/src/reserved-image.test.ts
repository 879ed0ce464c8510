import assert from 'node:assert/strict';
import test from 'node:test';
import { isReservedImage } from './reserved-image.ts';

const RESERVED = [
  'davit/haproxy',
  'davit/haproxy:c8055fa03df92668',
  'docker.io/davit/haproxy',
  'index.docker.io/davit/names',
  'registry-1.docker.io:443/davit/postgres:15',
  'DOCKER.io/davit/a/b',
  `davit/haproxy@sha256:${'0'.repeat(64)}`,
];
const FREE = [
  'davit',
  'davit-hello',
  'davit-test/web',
  'library/davit',
  'ghcr.io/davit/haproxy',
  'localhost:5000/davit/production/web',
  'davitt/haproxy',
  'acme/davit/haproxy',
  'no image at all',
];

test('isReservedImage returns true for every spelling of a platform image name', () => {
  assert.deepEqual(
    RESERVED.filter((text) => !isReservedImage(text)),
    [],
  );
});

test('isReservedImage returns false for all other image names', () => {
  assert.deepEqual(FREE.filter(isReservedImage), []);
});
