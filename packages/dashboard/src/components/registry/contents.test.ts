import assert from 'node:assert/strict';
import { it } from 'node:test';
import { contentsOf } from './contents.ts';

it('contentsOf counts releases apart from other tags, and only tags of a deleted app', () => {
  assert.equal(contentsOf({ tags: 1, releases: 1 }), '1 release');
  assert.equal(contentsOf({ tags: 3, releases: 1 }), '1 release, 2 other tags');
  assert.equal(contentsOf({ tags: 1, releases: 0 }), '0 releases, 1 other tag');
  assert.equal(contentsOf({ tags: 3, releases: null }), '3 tags');
});
