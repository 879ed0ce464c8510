import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourcesFor } from './sources.ts';

test('the source `external` is a choice only for an app that already has it', () => {
  const choices = (source: 'image' | 'external') => sourcesFor({ source }).map(({ value }) => value);
  assert.deepEqual(choices('image'), ['image', 'registry']);
  assert.deepEqual(choices('external'), ['image', 'registry', 'external']);
});
