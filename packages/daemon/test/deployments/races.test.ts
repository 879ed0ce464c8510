/** Forced interleavings: each test holds one side at a gate while the other side proceeds. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppCreate, DavitError } from '@davit/api';
import { patience } from '@davit/testkit/waiting';
import { lookUp } from '../../src/authorization/lookup.ts';
import { unchecked } from '../../src/db/select.ts';
import { createApp, deleteApp, deploySettings, patchApp, patching } from '../../src/resources/apps/settings.ts';
import { deleteDeployment } from '../../src/resources/deployments/deployment.ts';
import { STEPS } from '../../src/resources/deployments/steps/index.ts';
import { createProject } from '../../src/resources/projects/project.ts';
import { Harness } from '../support/harness.ts';

const by = { by: 'ada', via: 'api' } as const;

test('only the newest of several waiting deployments runs after the current deployment', async () => {
  await using harness = await Harness.with();
  const gate = harness.engine.controls.pause('start');
  const first = await harness.request({ tag: 'v1' });
  await gate.reached;
  const second = await harness.request({ tag: 'v2' });
  const third = await harness.request({ tag: 'v3' });

  assert.equal(harness.row(second).status, 'cancelled');
  assert.equal(harness.row(second).superseded_by, third);
  gate.open();
  await harness.machine.settled();

  assert.deepEqual(harness.statuses(), ['succeeded', 'cancelled', 'succeeded']);
  assert.equal(harness.app().liveDeployment, third);
  assert.ok((harness.row(third).started_at ?? 0) >= (harness.row(first).finished_at ?? Number.POSITIVE_INFINITY));
});

test('deployments of different apps run concurrently', async () => {
  await using harness = await Harness.with();
  harness.addApp('api');
  const gate = harness.engine.controls.pause('start');
  const slow = await harness.request({ tag: 'v1' });
  await gate.reached;

  const quick = await harness.request({ tag: 'v1' }, 'api');
  await harness.machine.ended(quick, patience());

  assert.equal(harness.row(quick).status, 'succeeded');
  assert.equal(harness.row(slow).status, 'running');
  gate.open();
});

test('a cancellation before the traffic switch restores the previous state', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  await harness.reconcile();
  const before = await harness.snapshot();
  const gate = harness.engine.controls.pause('probe');
  const id = await harness.request({ tag: 'v2' });
  await gate.reached;

  const cancelled = harness.machine.cancel(id);
  gate.open();
  await cancelled;

  assert.equal(harness.row(id).status, 'cancelled');
  assert.equal(harness.row(id).error, 'The deployment was canceled. Release v1 is still live.');
  await harness.reconcile();
  assert.deepEqual(await harness.snapshot(), before);
});

/** Returns steps whose check waits, and reports when it waits. */
function waitingCheck() {
  const waits = Promise.withResolvers<void>();
  const run = async (_: unknown, signal: AbortSignal) => {
    const waited = sleep(60_000, undefined, { signal });
    waits.resolve();
    await waited;
  };
  return { steps: { ...STEPS, check: { ...STEPS.check, run } }, waits: waits.promise };
}

test('a cancellation during the health check is recorded as canceled, not as failed', async () => {
  const { steps, waits } = waitingCheck();
  await using harness = await Harness.with({}, steps);
  const id = await harness.request({ tag: 'v1' });
  await waits;

  await harness.machine.cancel(id);

  assert.deepEqual([harness.row(id).status, harness.row(id).error], ['cancelled', 'The deployment was canceled.']);
});

test('the next process completes a deployment after a restart during the health check', async () => {
  const { steps, waits } = waitingCheck();
  await using harness = await Harness.with({}, steps);
  const id = await harness.request({ tag: 'v1' });
  await waits;

  await harness.crash();
  await harness.machine.settled();

  assert.deepEqual([harness.row(id).status, harness.row(id).error], ['succeeded', null]);
});

test('refuses a cancellation during the traffic switch, and the deployment succeeds', async () => {
  await using harness = await Harness.with();
  const gate = harness.proxy.gate();
  const id = await harness.request({ tag: 'v1' });
  await gate.entered;

  await assert.rejects(harness.machine.cancel(id), (error: Error) => {
    assert.ok(error instanceof DavitError);
    assert.equal(error.code, 'conflict');
    assert.match(error.message, /while it switches the traffic/);
    return true;
  });
  gate.open();
  await harness.machine.settled();

  assert.equal(harness.row(id).status, 'succeeded');
});

test('cancels a waiting deployment and refuses to cancel a finished deployment', async () => {
  await using harness = await Harness.with();
  const gate = harness.engine.controls.pause('start');
  const running = await harness.request({ tag: 'v1' });
  await gate.reached;
  const waiting = await harness.request({ tag: 'v2' });

  await harness.machine.cancel(waiting);
  gate.open();
  await harness.machine.settled();

  assert.equal(harness.row(waiting).status, 'cancelled');
  await assert.rejects(harness.machine.cancel(waiting), /was already canceled/);
  await assert.rejects(harness.machine.cancel(running), /has already succeeded/);
});

test('an app deleted during its deployment leaves no resources behind', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  const gate = harness.engine.controls.pause('probe');
  await harness.request({ tag: 'v2' });
  await gate.reached;

  const deleted = deleteApp(harness.core, harness.ctx, harness.app());
  gate.open();
  await deleted;
  await harness.reconcile();

  assert.deepEqual(harness.engine.controls.containers(), []);
  assert.deepEqual(await harness.engine.heldImages(), []);
  assert.deepEqual(harness.core.store.all(unchecked('SELECT id FROM apps')), []);
  assert.equal(harness.proxy.serving('web.production.shop.localhost'), null);
});

test('an app deleted during the traffic switch is removed after the switch', async () => {
  await using harness = await Harness.with();
  const gate = harness.proxy.gate();
  await harness.request({ tag: 'v1' });
  await gate.entered;

  const deleted = deleteApp(harness.core, harness.ctx, harness.app());
  gate.open();
  await deleted;
  await harness.reconcile();

  assert.deepEqual(harness.engine.controls.containers(), []);
  assert.deepEqual(harness.core.store.all(unchecked('SELECT id FROM apps')), []);
});

test('refuses to deploy a deleted app', async () => {
  await using harness = await Harness.with();
  const app = harness.app();
  await deleteApp(harness.core, harness.ctx, app);

  await assert.rejects(harness.machine.request(app, { tag: 'v1', trigger: { kind: 'api', by: 'ada', via: 'api' } }), {
    code: 'not_found',
  });
});

test('does not stop the old release before the traffic switch is recorded', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  const gate = harness.proxy.gate();
  await harness.request({ tag: 'v2' });
  await gate.entered;

  await harness.look();
  const { retirementTask } = await import('../../src/reconcilers/retirement.ts');
  await retirementTask(harness.core).run(new AbortController().signal);

  assert.equal(harness.engine.controls.count('stop'), 0);
  gate.open();
  await harness.machine.settled();
});

test('a new daemon completes the retirement of the old release after a crash', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  await harness.deploy('v2');

  await harness.crash();
  await harness.reconcile();

  assert.deepEqual(
    harness.engine.controls.containers().map((c) => c.name),
    ['davit-testtest-2-1'],
  );
});

test('a wait for a deployment ends with a retry message if the daemon stops', async () => {
  await using harness = await Harness.with();
  const gate = harness.engine.controls.pause('start');
  const id = await harness.request({ tag: 'v1' });
  await gate.reached;
  const waited = harness.machine.ended(id, new AbortController().signal);

  const stopped = harness.crash();
  gate.open();

  await assert.rejects(waited, /send the request again/);
  await stopped;
});

test('removes the containers of a deleted app without the proxy but keeps the addresses reserved', async () => {
  await using harness = await Harness.with({ stop: { signal: 'SIGQUIT' } });
  await harness.deploy('v1');
  harness.proxy.setUnavailable('the proxy is gone');

  await deleteApp(harness.core, harness.ctx, harness.app()).catch(() => undefined);

  assert.deepEqual(harness.engine.controls.containers(), []);
  assert.equal(harness.core.store.all(unchecked('SELECT id FROM instances')).length, 1);
  harness.proxy.setUnavailable(null);
  await harness.machine.removeDeleted();
  assert.deepEqual(harness.core.store.all(unchecked('SELECT id FROM apps')), []);
});

test('a cancellation ends a deployment whose registry never responds', async () => {
  await using harness = await Harness.with({ pull: 'always' });
  const requested = Promise.withResolvers<void>();
  const findRemoteImage = (): Promise<string> => {
    requested.resolve();
    return new Promise(() => undefined);
  };
  Object.assign(harness.core.engine, { findRemoteImage });
  const id = await harness.request({ tag: 'v1' });
  await requested.promise;

  await harness.machine.cancel(id);

  assert.equal(harness.row(id).status, 'cancelled');
});

test('a deletion does not wait for a blocked deployment in another project', async () => {
  await using harness = await Harness.with();
  createProject(harness.core, harness.ctx, { slug: 'other' });
  const input = { project: 'other', environment: 'production', name: 'web', source: 'image', image: 'acme/web' };
  createApp(harness.core, harness.ctx, AppCreate.parse(input));
  // A cancellation does not end this call.
  const gate = harness.engine.controls.pause('holdImage');
  const id = await harness.request({ tag: 'v1' });
  await gate.reached;
  const first = deleteApp(harness.core, harness.ctx, harness.app());

  const other = { project: 'other', environment: 'production', app: 'web' };
  await deleteApp(harness.core, harness.ctx, lookUp(harness.core.store, harness.ctx.actor, 'operate', 'app', other));

  assert.equal(harness.row(id).status, 'running');
  assert.deepEqual(harness.core.store.all(unchecked('SELECT id FROM apps')), [{ id: harness.row(id).app_id }]);
  gate.open();
  await first;
  assert.deepEqual(harness.core.store.all(unchecked('SELECT id FROM apps')), []);
});

test('a restart does not replace a waiting deployment and runs the release live afterwards', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  const gate = harness.engine.controls.pause('start');
  await harness.request({ tag: 'v2' });
  await gate.reached;
  const waiting = await harness.request({ tag: 'v3' });
  const restart = await harness.request({ trigger: { kind: 'restart', ...by } });

  gate.open();
  await harness.machine.settled();

  assert.equal(harness.row(waiting).status, 'succeeded');
  assert.deepEqual([harness.row(restart).status, harness.row(restart).tag], ['succeeded', 'v3']);
});

test('a promotion uses the release live at request time despite a newer source deployment', async () => {
  await using harness = await Harness.with();
  harness.addApp('copy');
  const first = await harness.deploy('v1');
  const gate = harness.engine.controls.pause('start');
  const promoted = await harness.request({ from: harness.app(), trigger: { kind: 'promote', ...by } }, 'copy');
  await gate.reached;

  const second = await harness.request({ tag: 'v2' });
  await harness.machine.ended(second, patience());
  gate.open();
  await harness.machine.settled();
  await harness.reconcile();

  assert.equal(harness.app().liveDeployment, second);
  const row = harness.row(promoted);
  assert.deepEqual([row.status, row.image_id, row.promoted_deployment], ['succeeded', first.image_id, first.id]);
});

test('a setting change during a promotion deploys the promoted image', async () => {
  await using harness = await Harness.with();
  harness.addApp('copy', { image: 'acme/copy' });
  const first = await harness.deploy('v1');
  const gate = harness.engine.controls.pause('start');
  await harness.request({ from: harness.app(), trigger: { kind: 'promote', ...by } }, 'copy');
  await gate.reached;

  const { id } = await deploySettings(harness.core, harness.ctx, harness.app('copy'), patching({ args: ['a'] }));
  gate.open();
  await harness.machine.settled();

  assert.deepEqual([harness.row(id).status, harness.row(id).image_id], ['succeeded', first.image_id]);
});

test('refuses to delete a deployment record whose image is used by a rollback', async () => {
  await using harness = await Harness.with();
  harness.addApp('copy');
  const first = await harness.deploy('v1');
  await harness.deploy('v2');
  await harness.reconcile();
  const gate = harness.engine.controls.pause('holdImage');
  await harness.request({ rollbackOf: first.id });
  await gate.reached;

  const target = { app: harness.app(), deployment: harness.row(first.id) };
  await assert.rejects(deleteDeployment(harness.core, harness.ctx, target), /uses the image of deployment 1\. Wait/);
  gate.open();
  await harness.machine.settled();
});

test('a change with a deployment applies after the engine check and keeps concurrent changes', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  const gate = harness.engine.controls.pause('info');
  const pending = deploySettings(harness.core, harness.ctx, harness.app(), patching({ args: ['a'] }));
  await gate.reached;

  // Users do not see the change before it is certain.
  assert.equal(harness.app().revision, 1);
  await harness.machine.stop(harness.app().id);
  await patchApp(harness.core, harness.ctx, harness.app(), { command: ['other'] });
  gate.open();
  await pending;
  await harness.machine.settled();

  assert.deepEqual(
    [harness.app().revision, harness.app().spec.command, harness.app().spec.args],
    [3, ['other'], ['a']],
  );
  assert.equal(harness.app().liveRevision, 3);
});
