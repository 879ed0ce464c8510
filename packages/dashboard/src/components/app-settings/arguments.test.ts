import assert from 'node:assert/strict';
import test from 'node:test';
import { joinArguments, splitArguments } from './arguments.ts';

const split = (line: string) => splitArguments(line);

test('a line is split at spaces, and quotes keep them', () => {
  assert.deepEqual(split('node  server.js\t--title "two words" --empty \'\''), {
    args: ['node', 'server.js', '--title', 'two words', '--empty', ''],
  });
  assert.deepEqual(split('   '), { args: [] });
});

test('quotes join what they touch, and backslashes keep one character', () => {
  assert.deepEqual(split(`--name="it's" a\\ b 'x\\y' "q\\"q \\d" \\\\`), {
    args: [`--name=it's`, 'a b', 'x\\y', 'q"q \\d', '\\'],
  });
});

test('nothing is replaced: what a shell would do stays as it is written', () => {
  assert.deepEqual(split('echo $HOME *.js && ls | wc'), {
    args: ['echo', '$HOME', '*.js', '&&', 'ls', '|', 'wc'],
  });
});

test('what is not closed is said', () => {
  assert.deepEqual(split('echo "a'), { why: 'the quote " is not closed' });
  assert.deepEqual(split("echo 'a"), { why: "the quote ' is not closed" });
  assert.deepEqual(split('echo a\\'), { why: 'the last “\\” must be followed by a character' });
});

test('every list of arguments has a line that splits into it again', () => {
  const args = ['sh', '-c', `echo "it's" \\ $HOME`, '', 'a b', 'line\nnext', '--x=1', '“ä”', "''"];

  assert.deepEqual(split(joinArguments(args)), { args });
  assert.equal(joinArguments(['node', 'server.js', '--port=80']), 'node server.js --port=80');
});
