import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sparklinePaths } from './sparkline-path.ts';

test('a line goes from the oldest step to the newest, as high as the value is of the whole', () => {
  assert.deepEqual(sparklinePaths([0, 50, 100], 100), {
    line: 'M0 39L100 20L200 1',
    area: 'M0 40L0 39L100 20L200 1L200 40Z',
  });
});

test('where nothing was measured the line is broken, and a step by itself is a dot', () => {
  assert.equal(sparklinePaths([0, null, 100], 100).line, 'M0 39L0 39M200 1L200 1');
  assert.deepEqual(sparklinePaths([null, null], 100), { line: '', area: '' });
});

test('what is above the whole stays in the box', () => {
  assert.equal(sparklinePaths([300, 300], 100).line, 'M0 1L200 1');
});
