import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRateLimitMessage } from './problem-words.ts';

/** Examples of error texts of GitHub. They are written by hand, because tests send no requests to the real GitHub. */
const SECONDARY =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID 0000:00000:0000000.';
const PRIMARY = '{"message":"API rate limit exceeded for user ID 1.","documentation_url":"https://docs.github.com"}';
const ABUSE =
  'You have triggered an abuse detection mechanism and have been temporarily blocked from content creation.';
const OTHERS = ['Could not resolve to a Repository with the name acme/none.', 'Bad credentials', 'Not Found'];

test('tellsLimit recognizes a rate limit in the text of an HTTP response', () => {
  for (const text of [SECONDARY, PRIMARY, ABUSE]) assert.ok(isRateLimitMessage(text, 'answer'), text);
  for (const text of OTHERS) assert.ok(!isRateLimitMessage(text, 'answer'), text);
});

test('tellsLimit recognizes a rate limit in an error of a GraphQL query', () => {
  assert.ok(isRateLimitMessage(SECONDARY, 'query'));
  for (const text of [...OTHERS, 'This may be the result of a timeout, or it could be a rate limit.'])
    assert.ok(!isRateLimitMessage(text, 'query'), text);
});
