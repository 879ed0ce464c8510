import assert from 'node:assert/strict';
import test from 'node:test';
import { CliError } from '../errors/exit.ts';
import { confirm } from './confirm.ts';
import type { Prompter } from './prompter.ts';

const WHAT = { what: 'This deletes the app a/b/c', name: 'a/b/c' };

function person(typed: string | null): Prompter & { asked: string[] } {
  const questions: string[] = [];
  const unasked = () => Promise.reject(new Error('was not to be asked'));
  return {
    asked: questions,
    isPossible: typed !== null,
    text: async (question) => {
      questions.push(question);
      return typed ?? '';
    },
    secret: unasked,
    choose: unasked,
    lines: unasked,
  };
}

test('confirm succeeds if the user types the name', async () => {
  const prompter = person(' a/b/c ');
  await confirm(WHAT, { ask: prompter, yes: false });
  assert.deepEqual(prompter.asked, ['This deletes the app a/b/c. Type "a/b/c" to confirm:']);
});

test('confirm fails for any other input', async () => {
  for (const typed of ['', 'y', 'yes', 'a/b', 'A/B/C']) {
    await assert.rejects(confirm(WHAT, { ask: person(typed), yes: false }), { exit: 'failed' });
  }
});

test('confirm does not prompt with --yes', async () => {
  const prompter = person('x');
  await confirm(WHAT, { ask: prompter, yes: true });
  assert.deepEqual(prompter.asked, []);
});

test('confirm fails without a terminal and suggests --yes', async () => {
  await assert.rejects(confirm(WHAT, { ask: person(null), yes: false }), (error: CliError) => {
    assert.equal(error.exit, 'usage');
    assert.match(error.message, /add --yes/);
    return error instanceof CliError;
  });
});
