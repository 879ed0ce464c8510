import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeError } from './describe-error.ts';

test('describeError returns the stack of an error and a string unchanged', () => {
  assert.match(describeError(new Error('broken')), /^Error: broken\n +at /);
  assert.equal(describeError('broken'), 'broken');
});

test('describeError describes the error of the case before the error of closing', () => {
  const text = describeError(new SuppressedError(new Error('not closed'), new Error('the cause')));

  assert.match(
    text,
    /^Error: the cause\n +at [\s\S]+\n\nThen, when what it had opened was closed:\nError: not closed\n +at /,
  );
});

test('describeError describes several errors of closing in the order of their occurrence', () => {
  const inner = new SuppressedError('the page', 'the cause');

  const said = describeError(new SuppressedError('the browser', inner)).match(/the \w+$/gm);

  assert.deepEqual(said, ['the cause', 'the page', 'the browser']);
});
