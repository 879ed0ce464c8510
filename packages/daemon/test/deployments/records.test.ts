/** Number of deployment records that are kept. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { SETTINGS_KEY } from '../../src/config/instance-settings.ts';
import { unchecked } from '../../src/db/select.ts';
import { writeSetting } from '../../src/db/tables/settings.ts';
import { recordsTask } from '../../src/reconcilers/records.ts';
import { patchApp } from '../../src/resources/apps/settings.ts';
import { Harness } from '../support/harness.ts';

const KEPT = 20;

/** Returns an environment that keeps so few records and images that a test can exceed both limits. */
async function smallHarness(): Promise<Harness> {
  const harness = await Harness.with();
  const bound = { per_app: KEPT };
  const settings = JSON.stringify({ deployments: bound, revisions: bound, images: { keep: 2 } });
  harness.core.store.tx((tx) => writeSetting(tx, SETTINGS_KEY, settings));
  return harness;
}

async function fail(harness: Harness, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await harness.deploy('missing');
}

async function prune(harness: Harness): Promise<number[]> {
  await recordsTask(harness.core).run(new AbortController().signal);
  return harness.core.store
    .all(unchecked<{ id: number }>('SELECT id FROM deployments ORDER BY id'))
    .map(({ id }) => id);
}

test('deletes the oldest deployment records above the limit but keeps live and rollback releases', async () => {
  await using harness = await smallHarness();
  await fail(harness, 3);
  for (const tag of ['v1', 'v2', 'v3']) await harness.deploy(tag);
  await harness.reconcile();
  await fail(harness, KEPT);

  const left = await prune(harness);

  // The remaining deployments among the first six: the live one, and the two before it.
  assert.deepEqual(left.slice(0, 3), [4, 5, 6]);
  assert.equal(left.length, KEPT + 3);
  assert.equal(harness.app().liveDeployment, 6);
});

test('keeps a deployment record until its containers have been removed', async () => {
  await using harness = await smallHarness();
  await harness.deploy('v1');
  for (const tag of ['v2', 'v3', 'v4']) await harness.deploy(tag);
  await fail(harness, KEPT);

  const before = await prune(harness);
  await harness.reconcile();
  const after = await prune(harness);

  assert.deepEqual([before.includes(1), after.includes(1)], [true, false]);
});

test('deletes no deployment records up to the limit', async () => {
  await using harness = await smallHarness();
  await fail(harness, KEPT);

  assert.equal((await prune(harness)).length, KEPT);
});

test('deletes revisions above the limit except a revision used by a deployment', async () => {
  await using harness = await smallHarness();
  await harness.deploy('v1');
  for (let i = 0; i <= KEPT; i++) await patchApp(harness.core, harness.ctx, harness.app(), { args: [String(i)] });

  await prune(harness);

  const left = harness.core.store.all(unchecked<{ number: number }>('SELECT number FROM revisions ORDER BY number'));
  assert.deepEqual(
    left.map(({ number }) => number),
    [1, ...Array.from({ length: KEPT }, (_, i) => i + 3)],
  );
});
