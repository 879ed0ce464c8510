import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wrapParts } from './wrap-parts.ts';

test('names wrap only at separators, and IPv4 addresses never wrap', () => {
  assert.deepEqual(wrapParts('127.0.0.1'), ['127.0.0.1']);
  assert.deepEqual(wrapParts('2001:db8::1'), ['2001:', 'db8:', ':', '1']);
  assert.deepEqual(wrapParts('shop/web/deployments/1'), ['shop/', 'web/', 'deployments/', '1']);
  assert.deepEqual(wrapParts('www.example.com'), ['www', '.example', '.com']);
  assert.deepEqual(wrapParts(''), ['']);
});
