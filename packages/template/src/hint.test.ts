import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, nearest } from './hint.ts';

const KEYS = ['key', 'name', 'image', 'tag', 'port', 'domains', 'volumes', 'minCubeship'];

test('finds the nearest word with at most two edits', () => {
  assert.equal(nearest('imgae', KEYS), 'image');
  assert.equal(nearest('volms', KEYS), 'volumes');
  assert.equal(nearest('xyz', KEYS), undefined);
  assert.equal(nearest('x', ['d']), undefined);
  assert.equal(nearest('xy', ['on', 'x']), 'x');
});

test('prefers a contained or containing word of similar length', () => {
  assert.equal(nearest('ports', KEYS), 'port');
  assert.equal(nearest('domain', KEYS), 'domains');
  assert.equal(nearest('images', ['imagery', 'image']), 'image');
  assert.equal(nearest('environmentport', KEYS), undefined);
});

test('ignores case when searching the nearest word', () => {
  assert.equal(nearest('mincubeship', KEYS), 'minCubeship');
  assert.equal(nearest('PORT', KEYS), 'port');
});

test('finds no match for empty and very long words', () => {
  assert.equal(nearest('', KEYS), undefined);
  assert.equal(nearest('key'.repeat(1000), KEYS), undefined);
});

test('counts added, removed and replaced letters as edits', () => {
  assert.equal(editDistance('kitten', 'sitting'), 3);
  assert.equal(editDistance('', 'abc'), 3);
  assert.equal(editDistance('abc', 'abc'), 0);
});
