import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comesInSteps, firstPageIsShown } from './first-page.ts';

test('only the content of the first page comes in steps, and only if the browser does not scroll to a position in it', () => {
  assert.equal(comesInSteps({ type: 'navigate', hash: '' }), true);
  assert.equal(comesInSteps({ type: 'navigate', hash: '#metrics' }), false);
  assert.equal(comesInSteps({ type: 'reload', hash: '' }), false);
  assert.equal(comesInSteps({ type: 'back_forward', hash: '' }), false);
  firstPageIsShown();
  assert.equal(comesInSteps({ type: 'navigate', hash: '' }), false);
});
