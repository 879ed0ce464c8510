import assert from 'node:assert/strict';
import test from 'node:test';
import { nameInOwnRepository } from './own-registry.ts';

const FACTS = { ports: { http: 80, https: 443, registry: 5001 }, domain: 'davit.example.com' };
const APP = 'alpha/production/web';
const DIGEST = `sha256:${'a'.repeat(64)}`;

test('nameInOwnRepository moves an image of another app to the app’s own repository', () => {
  for (const host of ['localhost:5001', '127.0.0.1:5001', 'localhost:5000', 'LOCALHOST:05000', '127.1.2.3:5000']) {
    const image = `${host}/bravo/production/secret`;
    assert.equal(nameInOwnRepository(FACTS, APP, `${image}:v1`, null), `localhost:5001/${APP}:v1`);
    assert.equal(nameInOwnRepository(FACTS, APP, `${image}:v1`, DIGEST), `localhost:5001/${APP}@${DIGEST}`);
  }
});

test('nameInOwnRepository keeps the name of an image of another registry', () => {
  for (const image of [
    'nginx:1',
    'ghcr.io/bravo/production/secret:v1',
    'localhost:5000/cache:v1',
    `localhost:5001/${APP}:v1`,
  ])
    assert.equal(nameInOwnRepository(FACTS, APP, image, null), image);
});
