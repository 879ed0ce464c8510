import assert from 'node:assert/strict';
import test from 'node:test';
import { defaultHost } from './routes.ts';

test('defaultHost joins app, environment and project in front of the domain', () => {
  const parts = { project: 'shop', environment: 'production', app: 'web' };

  assert.equal(defaultHost(parts, 'example.com'), 'web.production.shop.example.com');
});
