import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseYaml } from './parse.ts';

const said = (text: string) => parseYaml(text).problems.map(({ message, hint }) => [message, hint])[0];

test('parseYaml reports an unclosed quote or bracket with a hint to close the text', () => {
  const close = 'Add the closing quote at the end of the text, or use the other kind of quotes.';
  assert.deepEqual(said('a: 1\nb: "x\n'), ['This line is not valid YAML: a " is not closed.', close]);
  assert.deepEqual(said("a: 1\nb: 'x\n"), ["This line is not valid YAML: a ' is not closed.", close]);
  assert.equal(said('a: [1\n')?.[1], 'Add the closing `]`.');
  assert.equal(said('a: {b: 1\n')?.[1], 'Add the closing `}`.');
  assert.match(said('a: [1\nb: 1\n')?.[1] ?? '', /an unclosed bracket/);
});

test('parseYaml hints at the right indentation for a key after a list dash', () => {
  assert.equal(said('a:\n  - b: 1\n   c: 2\n')?.[1], 'Use the same indentation as the key after the dash.');
});
