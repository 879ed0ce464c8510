import assert from 'node:assert/strict';
import test from 'node:test';
import { joinArguments, splitArguments } from './arguments.ts';

const split = (line: string) => splitArguments(line);

test('arguments are split at spaces, except spaces inside quotes', () => {
  assert.deepEqual(split('node  server.js\t--title "two words" --empty \'\''), {
    args: ['node', 'server.js', '--title', 'two words', '--empty', ''],
  });
  assert.deepEqual(split('   '), { args: [] });
});

test('adjacent quoted text joins an argument, and a backslash escapes a character', () => {
  assert.deepEqual(split(`--name="it's" a\\ b 'x\\y' "q\\"q \\d" \\\\`), {
    args: [`--name=it's`, 'a b', 'x\\y', 'q"q \\d', '\\'],
  });
});

test('arguments keep shell variables, wildcards and operators unchanged', () => {
  assert.deepEqual(split('echo $HOME *.js && ls | wc'), {
    args: ['echo', '$HOME', '*.js', '&&', 'ls', '|', 'wc'],
  });
});

test('an unclosed quote or trailing backslash is reported', () => {
  assert.deepEqual(split('echo "a'), { why: 'the quote " is not closed' });
  assert.deepEqual(split("echo 'a"), { why: "the quote ' is not closed" });
  assert.deepEqual(split('echo a\\'), { why: 'the last “\\” must be followed by a character' });
});

test('joined arguments split into the same list again', () => {
  const args = ['sh', '-c', `echo "it's" \\ $HOME`, '', 'a b', 'line\nnext', '--x=1', '“ä”', "''"];

  assert.deepEqual(split(joinArguments(args)), { args });
  assert.equal(joinArguments(['node', 'server.js', '--port=80']), 'node server.js --port=80');
});
