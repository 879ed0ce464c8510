import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patience } from '@davit/testkit/waiting';
import type { Engine } from '../adapters/engine/engine.ts';
import { EngineRefused } from '../adapters/engine/errors.ts';
import { deploymentFailureReason } from '../resources/deployments/reason.ts';
import { DeployFailed } from '../resources/deployments/work.ts';
import { type RecordedStep, runRecorded } from './recorded-steps.ts';

/** Returns the recorded text of a step that fails. */
async function recordedOf(failure: Error): Promise<string | undefined> {
  let recorded: string | undefined;
  const step: RecordedStep<null> = {
    name: 'switch',
    run: async () => {
      throw failure;
    },
  };
  const record = {
    rows: () => [],
    begin: () => undefined,
    end: (_: unknown, error?: string) => {
      recorded = error;
    },
  };
  const engine = { engine: {} as Engine, awayMs: 0, onAway: () => undefined };
  const run = runRecorded({ work: null, steps: [step], record, engine, reasonOf: deploymentFailureReason }, patience());
  await assert.rejects(run, failure);
  return recorded;
}

test('a failed step records its reason without internal details', async () => {
  assert.equal(await recordedOf(new DeployFailed('Instance 1 crashed.')), 'Instance 1 crashed.');
  assert.equal(await recordedOf(new EngineRefused('no room')), 'no room.');
  assert.equal(
    await recordedOf(new Error('route table: 10.208.0.7 is SECRET')),
    'An internal error occurred in Davit. Find the details in the log of the instance.',
  );
});
