import assert from 'node:assert/strict';
import { it } from 'node:test';
import { triggerWords, whyWords } from './trigger-words.ts';

it('describes the start of a deployment with its user and its client', () => {
  const trigger = { kind: 'api', by: 'ada', via: 'cli' } as const;
  const deployment = { trigger, rollback_of: null, promoted_from: null };

  assert.equal(triggerWords(deployment), 'deployed by ada');
  assert.equal(whyWords(deployment), 'deployed by ada, on the command line');
  const rollback = { ...deployment, trigger: { ...trigger, kind: 'rollback' }, rollback_of: 12 } as const;
  assert.equal(whyWords(rollback), 'rolled back to #12 by ada, on the command line');
});
