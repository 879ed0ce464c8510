import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeError } from './describe-error.ts';

test('an error is described with its stack, and a text as it is', () => {
  assert.match(describeError(new Error('broken')), /^Error: broken\n +at /);
  assert.equal(describeError('broken'), 'broken');
});

test('what a case failed of is described before what failed when it was closed', () => {
  const text = describeError(new SuppressedError(new Error('not closed'), new Error('the cause')));

  assert.match(
    text,
    /^Error: the cause\n +at [\s\S]+\n\nThen, when what it had opened was closed:\nError: not closed\n +at /,
  );
});

test('each of several that could not be closed is described, in their order', () => {
  const inner = new SuppressedError('the page', 'the cause');

  const said = describeError(new SuppressedError('the browser', inner)).match(/the \w+$/gm);

  assert.deepEqual(said, ['the cause', 'the page', 'the browser']);
});
