import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newNameProblem } from './new-name.ts';

test('a new variable with an invalid name is refused with a message that names the variable', () => {
  const problem = (name: string) => newNameProblem(name, (other) => other === 'TAKEN');
  for (const name of ['1BAD', 'A B', 'DAVIT_X'])
    assert.match(String(problem(name)), new RegExp(`^The name ${name} must`));
  assert.notEqual(problem(''), null);
  assert.notEqual(problem('TAKEN'), null);
  assert.equal(problem('GOOD'), null);
});
