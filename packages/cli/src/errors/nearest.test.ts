import assert from 'node:assert/strict';
import test from 'node:test';
import { nearest } from './nearest.ts';

const APPS = ['shop/production/web', 'shop/staging/web', 'blog/production/web', 'shop/production/worker'];

test('a slip of a letter is mended', () => {
  assert.deepEqual(nearest('shop/production/wbe', APPS), ['shop/production/web']);
  assert.deepEqual(nearest('shop/prodution/web', APPS), ['shop/production/web']);
});

test('a name alone finds the apps of that name', () => {
  assert.deepEqual(nearest('web', APPS), ['blog/production/web', 'shop/production/web', 'shop/staging/web']);
});

test('what is nothing like it is not offered', () => {
  assert.deepEqual(nearest('zzz/production/queue', APPS), []);
  assert.deepEqual(nearest('a/b', APPS), []);
});

test('three names at most, the nearest first', () => {
  assert.deepEqual(nearest('ab', ['abd', 'abc', 'ab', 'abe', 'xx']), ['ab', 'abc', 'abd']);
});
