/**
 * Tests for every step of every deployment plan. Running a step twice has the same result as running it once. A failure
 * at any step restores the previous state. A crash at any step does not change the result.
 */
import assert from 'node:assert/strict';
import { constants } from 'node:os';
import test, { describe } from 'node:test';
import { DEPLOYMENT_STEPS, type DeploymentStepName } from '@davit/api';
import { inLong } from '../../../../test/support/tiers.ts';
import { insertVolume } from '../../src/db/tables/volume.ts';
import { patchApp } from '../../src/resources/apps/settings.ts';
import { STEPS } from '../../src/resources/deployments/steps/index.ts';
import type { Step } from '../../src/resources/deployments/work.ts';
import { Interrupted } from '../../src/workflow/interrupted.ts';
import { Harness, type Steps } from '../support/harness.ts';

const SETTINGS = { scale: 2, release_command: ['migrate'] };

/** Returns the same steps, each with the same change. */
function eachStep(change: (step: Step) => Step): Steps {
  return Object.fromEntries(DEPLOYMENT_STEPS.map((name) => [name, change(STEPS[name])])) as Steps;
}

function withStep(name: DeploymentStepName, change: (step: Step) => Step): Steps {
  return { ...STEPS, [name]: change(STEPS[name]) };
}

/** Adds a volume to the app, so that two of its releases cannot run at the same time. */
function addVolume(harness: Harness): void {
  const { id: appId, project, reference } = harness.app();
  const volume = { appId, projectId: project.id, app: reference, path: '/data', at: 0 };
  harness.core.store.tx((tx) => insertVolume(tx, volume, (id) => `davit-testtest-v${id}`));
}

const VARIANTS: { name: string; before: string | null; exclusive: boolean; stopped?: boolean }[] = [
  { name: 'the first deployment', before: null, exclusive: false },
  { name: 'a deployment over a live release', before: 'v1', exclusive: false },
  { name: 'a deployment that must stop the old release first', before: 'v1', exclusive: true },
  { name: 'a deployment of a stopped app', before: 'v1', exclusive: false, stopped: true },
];

async function prepared(variant: (typeof VARIANTS)[number]): Promise<Harness> {
  const harness = await Harness.with(SETTINGS);
  if (variant.exclusive) addVolume(harness);
  if (variant.before !== null) assert.equal((await harness.deploy(variant.before)).status, 'succeeded');
  if (variant.stopped) await harness.machine.stop(harness.app().id);
  await harness.reconcile();
  return harness;
}

/** Returns the steps of a variant. */
function stepsOf({ before, exclusive }: (typeof VARIANTS)[number]): DeploymentStepName[] {
  return DEPLOYMENT_STEPS.filter((name) => name !== 'stop-old' || (before !== null && exclusive));
}

for (const variant of VARIANTS) {
  describe(variant.name, () => {
    test('has the same result if every repeatable step runs twice', async () => {
      await using once = await prepared(variant);
      await once.deploy('v2');
      await once.reconcile();
      await using twice = await prepared(variant);
      const doubled = eachStep((step) => ({
        ...step,
        run: async (work, signal) => {
          await step.run(work, signal);
          /*
           * A finished step with `once` is not repeated, because its effect is visible outside. Other steps may be
           * repeated.
           */
          if (!step.once) await step.run(work, signal);
        },
      }));
      await twice.crash(doubled);
      assert.equal((await twice.deploy('v2')).status, 'succeeded');
      await twice.reconcile();

      assert.deepEqual(withoutIds(await twice.snapshot()), withoutIds(await once.snapshot()));
    });

    for (const name of stepsOf(variant)) {
      for (const moment of ['before', 'after'] as const) {
        // After a step has run, its effect may stay or the step may run again.
        const tier = moment === 'after' ? {} : inLong;
        test(`restores the previous state if the deployment fails ${moment} the step ${name}`, tier, async () => {
          await using harness = await prepared(variant);
          const before = await harness.snapshot();
          await harness.crash(
            withStep(name, (step) => ({
              ...step,
              run: async (work, signal) => {
                if (moment === 'after') await step.run(work, signal);
                throw new Error(`the test made the step fail ${moment} ${name}`);
              },
            })),
          );

          const row = await harness.deploy('v2');

          assert.equal(row.status, 'failed');
          assert.match(row.error ?? '', /in the log of the instance/);
          await harness.reconcile();
          assert.deepEqual(await harness.snapshot(), before);
        });

        test(`has the same result if the process crashes ${moment} the step ${name}`, tier, async () => {
          await using calm = await prepared(variant);
          await calm.deploy('v2');
          await calm.reconcile();
          await using harness = await prepared(variant);
          const died = Promise.withResolvers<void>();
          await harness.crash(
            withStep(name, (step) => ({
              ...step,
              run: async (work, signal) => {
                if (moment === 'after') await step.run(work, signal);
                died.resolve();
                throw new Interrupted();
              },
            })),
          );
          const id = await harness.request({ tag: 'v2' });
          await died.promise;

          await harness.crash();
          await harness.machine.settled();

          assert.equal(harness.row(id).status, 'succeeded');
          await harness.reconcile();
          assert.deepEqual(withoutIds(await harness.snapshot()), withoutIds(await calm.snapshot()));
        });
      }

      if (STEPS[name].undo) {
        test(`undoes the step ${name} again if the process crashes during the undo`, async () => {
          await using harness = await prepared(variant);
          const before = await harness.snapshot();
          const died = Promise.withResolvers<void>();
          const failing = withStep('switch', (step) => ({
            ...step,
            run: async (work, signal) => {
              await step.run(work, signal);
              throw new Error('the test made the step fail after the switch');
            },
          }));
          const undo = failing[name].undo;
          failing[name] = {
            ...failing[name],
            undo: async (work) => {
              await undo?.(work);
              died.resolve();
              throw new Interrupted();
            },
          };
          await harness.crash(failing);
          const id = await harness.request({ tag: 'v2' });
          await died.promise;

          await harness.crash();
          await harness.machine.settled();

          assert.equal(harness.row(id).status, 'failed');
          await harness.reconcile();
          assert.deepEqual(await harness.snapshot(), before);
        });
      }
    }
  });
}

/** Removes container ids, which differ between runs. Everything else must be equal. */
function withoutIds(snapshot: object): object {
  return JSON.parse(JSON.stringify(snapshot, (key, value) => (key === 'id' ? undefined : value))) as object;
}

test('stops the old release with its own stop signal, not the signal of the new release', async () => {
  await using harness = await Harness.with({ stop: { signal: 'SIGINT', drain_s: 0, grace_s: 1 } });
  addVolume(harness);
  await harness.deploy('v1');
  const [old] = harness.engine.controls.containers();
  await patchApp(harness.core, harness.ctx, harness.app(), { stop: { signal: 'SIGQUIT' } });

  await harness.deploy('v2');

  const ended = harness.engine.controls.containers().find(({ id }) => id === old?.id);
  assert.equal(ended?.exitCode, 128 + constants.signals.SIGINT);
});

test('reports a running old release after a failed deployment of an app with a volume', async () => {
  await using harness = await Harness.with({ stop: { signal: 'SIGTERM', drain_s: 0, grace_s: 1 } });
  addVolume(harness);
  await harness.deploy('v1');

  const { error } = await harness.deploy('v2-crash');

  assert.match(error ?? '', /Release v1 is running again\.$/);
});
