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

describe('allowed use of a conditional database', () => {
  const env = { A: '${db.db.host}' };
  const databases = [{ ...DB, when }];
  const needed = ['condition.needed apps.0.env.A'];
  const cases: [what: string, app: Partial<DraftApp>, said: string[]][] = [
    ['not by a variable without it', { env }, needed],
    ['by one of an app under it', { env, when }, []],
    ['by one that is under it itself', { envWhen: [{ when, env }] }, []],
    ['by one under another that comes to the same', { env, when: { input: 'size', equals: 'l' } }, []],
    ['not by one under another answer', { env, when: { input: 'size', equals: 's' } }, needed],
    ['not by one under another input', { env, when: { input: 'domain', equals: 'l' } }, needed],
    ['not by an attachment without it', { attach: [{ database: 'db' }] }, ['condition.needed apps.0.attach.0']],
    ['by an attachment under it', { attach: [{ database: 'db', when }] }, []],
    ['not by a command', { command: ['a', '${db.db.host}'] }, ['condition.needed apps.0.command.1']],
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
