import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VariableName } from './schemas/variables.ts';
import { variableNameProblem } from './variable-name.ts';

test('the check of a variable name without the schema has the results and messages of the schema', () => {
  for (const name of ['A', '_a.b', '', '1BAD', 'a b', '.a', 'DAVIT_X', 'x'.repeat(255), 'x'.repeat(256)]) {
    const { error } = VariableName.safeParse(name);
    assert.equal(variableNameProblem(name), error?.issues[0]?.message ?? null, name);
  }
});
