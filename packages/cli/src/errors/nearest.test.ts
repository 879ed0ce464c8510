import assert from 'node:assert/strict';
import test from 'node:test';
import { nearest } from './nearest.ts';

const APPS = ['shop/production/web', 'shop/staging/web', 'blog/production/web', 'shop/production/worker'];

test('nearest corrects a misspelled app name', () => {
  assert.deepEqual(nearest('shop/production/wbe', APPS), ['shop/production/web']);
  assert.deepEqual(nearest('shop/prodution/web', APPS), ['shop/production/web']);
});

test('nearest finds apps by their name alone', () => {
  assert.deepEqual(nearest('web', APPS), ['blog/production/web', 'shop/production/web', 'shop/staging/web']);
});

test('nearest returns nothing for a very different name', () => {
  assert.deepEqual(nearest('zzz/production/queue', APPS), []);
  assert.deepEqual(nearest('a/b', APPS), []);
});

test('nearest returns at most three names, closest first', () => {
  assert.deepEqual(nearest('ab', ['abd', 'abc', 'ab', 'abe', 'xx']), ['ab', 'abc', 'abd']);
});
