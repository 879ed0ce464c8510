import assert from 'node:assert/strict';
import { it } from 'node:test';
import { lineOf, wordsOf } from './command-words.ts';

it('splits a command into words like a shell', () => {
  assert.deepEqual(wordsOf(`  sh -c 'echo "a b"; exit 1'  `), ['sh', '-c', 'echo "a b"; exit 1']);
  assert.deepEqual(wordsOf('a\\ b "c \\" d" e\'f\'""'), ['a b', 'c " d', 'ef']);
  assert.deepEqual(wordsOf(''), []);
  assert.deepEqual(wordsOf("''"), ['']);
  assert.equal(wordsOf('echo "open'), null);
});

it('joins words into a command with the same words after parsing', () => {
  for (const words of [
    ['ls', '-l'],
    ['a b', "it's", ''],
    ['$HOME', '*;|&'],
    ['back\\slash', '"'],
  ]) {
    assert.deepEqual(wordsOf(lineOf(words)), words);
  }
});
