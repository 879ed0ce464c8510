import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseYaml } from './parse.ts';

const said = (text: string) => parseYaml(text).problems.map(({ message, hint }) => [message, hint])[0];

test('what is not closed is named, and how it is closed', () => {
  const close = 'Close it where the text ends, or put the text in quotes of the other kind.';
  assert.deepEqual(said('a: 1\nb: "x\n'), ['This is no YAML: a " is never closed.', close]);
  assert.deepEqual(said("a: 1\nb: 'x\n"), ["This is no YAML: a ' is never closed.", close]);
  assert.equal(said('a: [1\n')?.[1], 'Close it with `]`.');
  assert.equal(said('a: {b: 1\n')?.[1], 'Close it with `}`.');
  assert.match(said('a: [1\nb: 1\n')?.[1] ?? '', /a bracket that is not closed/);
});

test('a key that is not as far in as the one after its dash is told so', () => {
  assert.equal(said('a:\n  - b: 1\n   c: 2\n')?.[1], 'Indent it as far as the key after the dash.');
});
