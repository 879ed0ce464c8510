import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sparklinePaths } from './sparkline-path.ts';

test('draws the sparkline from oldest to newest value, scaled to the maximum', () => {
  assert.deepEqual(sparklinePaths([0, 50, 100], 100), {
    line: 'M0 39L100 20L200 1',
    area: 'M0 40L0 39L100 20L200 1L200 40Z',
  });
});

test('breaks the sparkline at gaps and draws isolated values as dots', () => {
  assert.equal(sparklinePaths([0, null, 100], 100).line, 'M0 39L0 39M200 1L200 1');
  assert.deepEqual(sparklinePaths([null, null], 100), { line: '', area: '' });
});

test('keeps sparkline values above the maximum within the box', () => {
  assert.equal(sparklinePaths([300, 300], 100).line, 'M0 1L200 1');
});
