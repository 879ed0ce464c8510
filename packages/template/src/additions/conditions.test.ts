import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { DB, DOMAIN, draftWith, meaningOf, problemsOf } from '../../test/support/drafts.ts';
import type { DraftApp, DraftCondition, DraftInput, DraftJob } from '../draft.ts';

const NEW = { minVersion: '0.1.0' };
const SIZE: DraftInput = { key: 'size', type: 'choice', label: 'x', options: ['s', 'l'] };
const JOB: DraftJob = { key: 'migrate', app: 'web', command: ['npm', 'run', 'migrate'] };
const when: DraftCondition = { input: 'size', equals: 'l' };

describe('reported problems of conditions', () => {
  const at = 'apps.0.when';
  const cases: [condition: DraftCondition, said: string[]][] = [
    [{ input: 'size' }, []],
    [{ input: 'size', equals: 's' }, []],
    [{ input: 'size', not: 'l' }, []],
    [{ input: 'domain', equals: 'anything' }, []],
    [{ input: 'nope', equals: 's' }, [`condition.input ${at}.input`]],
    [{ input: 'size', equals: 's', not: 'l' }, [`condition.form ${at}`]],
    [{ input: 'size', equals: 'm' }, [`condition.option ${at}.equals`]],
    [{ input: 'size', not: 'm' }, [`condition.option ${at}.not`]],
    [{ input: 'size', equals: '' }, [`condition.option ${at}.equals`]],
    [{ input: 'maybe', equals: '' }, []],
  ];
  for (const [condition, said] of cases) {
    test(JSON.stringify(condition), () => {
      const inputs: DraftInput[] = [DOMAIN, SIZE, { ...SIZE, key: 'maybe', required: false }];
      assert.deepEqual(meaningOf(draftWith({ when: condition }, { ...NEW, inputs })), said);
    });
  }
});

describe('the use of a conditional database', () => {
  const env = { A: '${db.db.host}' };
  const databases = [{ ...DB, when }];
  const needed = ['condition.needed apps.0.env.A'];
  const cases: [what: string, app: Partial<DraftApp>, said: string[]][] = [
    ['is reported in a variable without the condition', { env }, needed],
    ['is allowed in a variable of an app with the same condition', { env, when }, []],
    ['is allowed in a conditional variable with the same condition', { envWhen: [{ when, env }] }, []],
    [
      'is allowed in a variable of an app with an equivalent condition',
      { env, when: { input: 'size', equals: 'l' } },
      [],
    ],
    [
      'is reported in a variable of an app with a condition on another answer',
      { env, when: { input: 'size', equals: 's' } },
      needed,
    ],
    [
      'is reported in a variable of an app with a condition on another input',
      { env, when: { input: 'domain', equals: 'l' } },
      needed,
    ],
    [
      'is reported in an attachment without the condition',
      { attach: [{ database: 'db' }] },
      ['condition.needed apps.0.attach.0'],
    ],
    ['is allowed in an attachment with the same condition', { attach: [{ database: 'db', when }] }, []],
    [
      'is reported in a command without the condition',
      { command: ['a', '${db.db.host}'] },
      ['condition.needed apps.0.command.1'],
    ],
  ];
  for (const [what, app, said] of cases) {
    test(what, () => {
      const draft = draftWith(app, { ...NEW, inputs: [DOMAIN, SIZE], databases });
      assert.deepEqual(meaningOf(draft), said);
      assert.ok(problemsOf(draft).every(({ severity }) => severity === 'warning'));
    });
  }

  test('warns about a job of a conditional app', () => {
    const draft = draftWith({ when }, { ...NEW, inputs: [DOMAIN, SIZE], jobs: [JOB] });
    assert.deepEqual(meaningOf(draft), ['condition.needed jobs.0.app']);
  });

  test('accepts an equivalent condition on a choice with only two options', () => {
    const parts = { ...NEW, inputs: [DOMAIN, SIZE], databases: [{ ...DB, when: { input: 'size', not: 's' } }] };
    assert.deepEqual(meaningOf(draftWith({ env, when }, parts)), []);
  });
});
