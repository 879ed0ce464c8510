import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import type { DraftCondition } from '../draft.ts';
import { admits, areExclusive } from './conditions.ts';

const is = (equals: string): DraftCondition => ({ input: 'a', equals });
const not = (text: string): DraftCondition => ({ input: 'a', not: text });
const given: DraftCondition = { input: 'a' };

describe('a condition', () => {
  const cases: [condition: DraftCondition, answer: string, holds: boolean][] = [
    [is('x'), 'x', true],
    [is('x'), 'y', false],
    [is(''), '', true],
    [not('x'), 'y', true],
    [not('x'), '', true],
    [not('x'), 'x', false],
    [given, 'anything', true],
    [given, '', false],
  ];
  for (const [condition, answer, holds] of cases) {
    test(`${JSON.stringify(condition)} ${holds ? 'holds' : 'does not hold'} for “${answer}”`, () =>
      assert.equal(admits(condition, answer), holds));
  }
});

describe('areExclusive', () => {
  const cases: [one: DraftCondition[], other: DraftCondition[], areNever: boolean][] = [
    [[is('x')], [is('y')], true],
    [[is('x')], [not('x')], true],
    [[is('')], [given], true],
    [[given], [is('')], true],
    [[is('x')], [is('x')], false],
    [[is('x')], [not('y')], false],
    [[not('x')], [not('y')], false],
    [[is('x')], [given], false],
    [[is('x')], [{ input: 'b', equals: 'y' }], false],
    [[{ input: 'b' }, is('x')], [is('y'), { input: 'c' }], true],
    [[], [is('x')], false],
  ];
  for (const [one, other, areNever] of cases) {
    test(`reports conditions as ${areNever ? '' : 'not '}exclusive: ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () =>
      assert.equal(areExclusive(one, other), areNever));
  }
});
