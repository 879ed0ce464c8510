import assert from 'node:assert/strict';
import test from 'node:test';
import { CliError } from '../errors/exit.ts';
import type { Ask } from './ask.ts';
import { confirm } from './confirm.ts';

const WHAT = { what: 'This deletes the app a/b/c', name: 'a/b/c' };

function person(typed: string | null): Ask & { asked: string[] } {
  const asked: string[] = [];
  const unasked = () => Promise.reject(new Error('was not to be asked'));
  return {
    asked,
    isPossible: typed !== null,
    text: async (question) => {
      asked.push(question);
      return typed ?? '';
    },
    secret: unasked,
    choose: unasked,
    lines: unasked,
  };
}

test('the name, typed as it is, lets it happen', async () => {
  const ask = person(' a/b/c ');
  await confirm(WHAT, { ask, yes: false });
  assert.deepEqual(ask.asked, ['This deletes the app a/b/c. Type "a/b/c" to confirm:']);
});

test('anything else does not', async () => {
  for (const typed of ['', 'y', 'yes', 'a/b', 'A/B/C']) {
    await assert.rejects(confirm(WHAT, { ask: person(typed), yes: false }), { exit: 'failed' });
  }
});

test('nobody is asked who said yes', async () => {
  const ask = person('x');
  await confirm(WHAT, { ask, yes: true });
  assert.deepEqual(ask.asked, []);
});

test('where there is nobody to ask it is refused, and says what to do', async () => {
  await assert.rejects(confirm(WHAT, { ask: person(null), yes: false }), (error: CliError) => {
    assert.equal(error.exit, 'usage');
    assert.match(error.message, /add --yes/);
    return error instanceof CliError;
  });
});
