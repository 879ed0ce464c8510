/** Status of an app while a deployment replaces its live release. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { App } from '@davit/api';
import { readApp } from '../../src/resources/apps/app.ts';
import { STEPS } from '../../src/resources/deployments/steps/index.ts';
import type { Step } from '../../src/resources/deployments/work.ts';
import { Harness, type Steps } from '../support/harness.ts';

function status(harness: Harness): App['status'] {
  return readApp(harness.core, harness.ctx, harness.app()).status;
}

/** Returns the steps of a deployment, which call `see` before and after each step. */
function watched(see: () => void): Steps {
  const watch = (step: Step): Step => ({
    ...step,
    run: async (...args) => {
      see();
      await step.run(...args);
      see();
    },
  });
  return Object.fromEntries(Object.entries(STEPS).map(([name, step]) => [name, watch(step)])) as Steps;
}

test('an app with a live release stays running in every step of the next deployment', async () => {
  const seen: App['status'][] = [];
  let see: () => void = () => undefined;
  const steps = watched(() => see());
  await using harness = await Harness.with({ scale: 2 }, steps);
  await harness.deploy('v1');
  await harness.reconcile();
  see = () => void seen.push(status(harness));

  const deployment = await harness.deploy('v2');

  assert.equal(deployment.status, 'succeeded');
  assert.ok(seen.length > 0);
  assert.deepEqual([...new Set(seen)], ['running']);
  assert.equal(status(harness), 'running');
});

test('the first deployment leaves an app pending until it succeeds', async () => {
  const seen: App['status'][] = [];
  let see: () => void = () => undefined;
  const steps = watched(() => see());
  await using harness = await Harness.with({}, steps);
  see = () => void seen.push(status(harness));

  await harness.deploy('v1');

  assert.deepEqual([...new Set(seen)], ['pending']);
  assert.equal(status(harness), 'running');
});

test('a late list of the containers does not mark the replicas of a new release as down', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  await harness.reconcile();
  const start = harness.engine.controls.pause('start');
  await harness.request({ tag: 'v2' });
  await start.reached;
  const list = harness.engine.controls.pause('observe', { afterEffect: true });
  const looked = harness.look();
  await list.reached;
  start.open();
  await harness.machine.settled();

  list.open();
  await looked;

  assert.deepEqual(harness.statuses(), ['succeeded', 'succeeded']);
  assert.equal(status(harness), 'running');
});
