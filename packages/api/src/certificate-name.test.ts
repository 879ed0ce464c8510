import assert from 'node:assert/strict';
import test from 'node:test';
import { coversHost } from './certificate-name.ts';

test('a certificate name covers its own host, and a wildcard covers exactly one label', () => {
  for (const [name, host, isCovered] of [
    ['example.com', 'example.com', true],
    ['example.com', 'shop.example.com', false],
    ['*.example.com', 'shop.example.com', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', 'eu.shop.example.com', false],
    ['*.example.com', '.example.com', false],
  ] as const)
    assert.equal(coversHost(name, host), isCovered, `${name} for ${host}`);
});
