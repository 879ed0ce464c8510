import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginContent, comesInSteps, contentComesInSteps, contentIsShown, firstPageIsShown } from './first-page.ts';

test('content comes in steps until it is shown', () => {
  assert.equal(contentComesInSteps(), false);
  assert.equal(beginContent({ type: 'reload', hash: '' }), false);
  assert.equal(contentComesInSteps(), false);
  assert.equal(beginContent({ type: 'navigate', hash: '' }), true);
  assert.equal(contentComesInSteps(), true);
  contentIsShown();
  assert.equal(contentComesInSteps(), false);
});

test('only the content of the first page comes in steps, and only if the browser does not scroll to a position in it', () => {
  assert.equal(comesInSteps({ type: 'navigate', hash: '' }), true);
  assert.equal(comesInSteps({ type: 'navigate', hash: '#metrics' }), false);
  assert.equal(comesInSteps({ type: 'reload', hash: '' }), false);
  assert.equal(comesInSteps({ type: 'back_forward', hash: '' }), false);
  firstPageIsShown();
  assert.equal(comesInSteps({ type: 'navigate', hash: '' }), false);
});
