import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { adviceOf, DOMAIN, draftWith } from '../../test/support/drafts.ts';
import type { DraftInput } from '../draft.ts';

describe('advice on inputs', () => {
  const text = (more: Partial<DraftInput>): DraftInput => ({ key: 'x', type: 'text', label: 'x', ...more });
  const cases: [input: DraftInput, advice: string[]][] = [
    [text({ pattern: '[a-z]+', default: 'abc' }), []],
    [text({ pattern: '[a-z]+', default: 'ABC' }), ['advice.default default']],
    [text({ pattern: '[a-z]+', default: '' }), []],
    [text({ pattern: '(?=a)b' }), ['advice.pattern pattern']],
    [text({ pattern: '(' }), ['advice.pattern pattern']],
    [text({ pattern: '(a+)+$', default: `${'a'.repeat(5000)}!` }), ['advice.default default']],
    [text({ type: 'number', min: 2, max: 1 }), ['advice.min-max min']],
    [text({ type: 'number', min: 1, max: 1, default: 1 }), []],
    [text({ type: 'number', min: 1, default: 0 }), ['advice.default default']],
    [text({ type: 'number', max: 1, default: 1.5 }), ['advice.default default']],
    [text({ type: 'choice', options: ['a', 'b'], default: 'b' }), []],
    [text({ type: 'choice', options: ['a', 'b'], default: 'c' }), ['advice.default default']],
    [
      text({ type: 'choice', options: ['a', 'b', 'a', 'a'] }),
      ['advice.duplicate-option options.2', 'advice.duplicate-option options.3'],
    ],
    [text({ type: 'secret', generate: 1024 }), []],
    [text({ type: 'secret', generate: 1025 }), ['advice.generate generate']],
  ];
  for (const [input, advice] of cases) {
    const { key: _k, label: _l2, ...rest } = input;
    test(JSON.stringify(rest).slice(0, 80), () => {
      const draft = draftWith({ env: { X: '${input.x}' } }, { inputs: [DOMAIN, input] });
      assert.deepEqual(
        adviceOf(draft),
        advice.map((one) => one.replace(' ', ' inputs.1.')),
      );
    });
  }
});

test('stops checking patterns after the common work budget is used', () => {
  const pattern = `(${'a'.repeat(999)}`;
  const inputs = Array.from(
    { length: 60 },
    (_, n): DraftInput => ({ key: `x${n}`, type: 'text', label: 'x', pattern }),
  );
  const patternAdvice = adviceOf(draftWith({}, { inputs: [DOMAIN, ...inputs] })).filter((one) =>
    one.startsWith('advice.pattern'),
  );
  assert.equal(patternAdvice.length, 50);
});
