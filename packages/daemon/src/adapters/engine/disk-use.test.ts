import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizesOf } from './disk-use.ts';

test('the size of a file system excludes reserved blocks', () => {
  const GIB = 1024 ** 3;
  const stat = { bsize: 4096, blocks: 252 * (GIB / 4096), bfree: 230 * (GIB / 4096), bavail: 80 * (GIB / 4096) };
  assert.deepEqual(sizesOf(stat), { totalBytes: 102 * GIB, freeBytes: 80 * GIB });
});
