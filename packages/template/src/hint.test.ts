import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, nearest } from './hint.ts';

const KEYS = ['key', 'name', 'image', 'tag', 'port', 'domains', 'volumes', 'minCubeship'];

test('a slip of two letters is found', () => {
  assert.equal(nearest('imgae', KEYS), 'image');
  assert.equal(nearest('volms', KEYS), 'volumes');
  assert.equal(nearest('xyz', KEYS), undefined);
  assert.equal(nearest('x', ['d']), undefined);
  assert.equal(nearest('xy', ['on', 'x']), 'x');
});

test('a word in the other comes first, if neither is more than twice as long', () => {
  assert.equal(nearest('ports', KEYS), 'port');
  assert.equal(nearest('domain', KEYS), 'domains');
  assert.equal(nearest('images', ['imagery', 'image']), 'image');
  assert.equal(nearest('environmentport', KEYS), undefined);
});

test('case does not matter', () => {
  assert.equal(nearest('mincubeship', KEYS), 'minCubeship');
  assert.equal(nearest('PORT', KEYS), 'port');
});

test('nothing and endless words are like nothing', () => {
  assert.equal(nearest('', KEYS), undefined);
  assert.equal(nearest('key'.repeat(1000), KEYS), undefined);
});

test('edits are letters added, removed or replaced', () => {
  assert.equal(editDistance('kitten', 'sitting'), 3);
  assert.equal(editDistance('', 'abc'), 3);
  assert.equal(editDistance('abc', 'abc'), 0);
});
