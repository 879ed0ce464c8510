import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseYaml } from './parse.ts';

const said = (text: string) => parseYaml(text).problems.map(({ message, hint }) => [message, hint])[0];

test('what is not closed is named, and how it is closed', () => {
  const close = 'Add the closing quote at the end of the text, or use the other kind of quotes.';
  assert.deepEqual(said('a: 1\nb: "x\n'), ['This line is not valid YAML: a " is not closed.', close]);
  assert.deepEqual(said("a: 1\nb: 'x\n"), ["This line is not valid YAML: a ' is not closed.", close]);
  assert.equal(said('a: [1\n')?.[1], 'Add the closing `]`.');
  assert.equal(said('a: {b: 1\n')?.[1], 'Add the closing `}`.');
  assert.match(said('a: [1\nb: 1\n')?.[1] ?? '', /an unclosed bracket/);
});

test('a key that is not as far in as the one after its dash is told so', () => {
  assert.equal(said('a:\n  - b: 1\n   c: 2\n')?.[1], 'Use the same indentation as the key after the dash.');
});
