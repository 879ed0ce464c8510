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
import { World } from '../support/world.ts';

const by = { by: 'ada', via: 'api' } as const;

test('only the newest of several waiting deployments runs after the current deployment', async () => {
  await using world = await World.with();
  const gate = world.engine.controls.pause('start');
  const first = await world.request({ tag: 'v1' });
  await gate.reached;
  const second = await world.request({ tag: 'v2' });
  const third = await world.request({ tag: 'v3' });

  assert.equal(world.row(second).status, 'cancelled');
  assert.equal(world.row(second).superseded_by, third);
  gate.open();
  await world.machine.settled();

  assert.deepEqual(world.statuses(), ['succeeded', 'cancelled', 'succeeded']);
  assert.equal(world.app().liveDeployment, third);
  assert.ok((world.row(third).started_at ?? 0) >= (world.row(first).finished_at ?? Number.POSITIVE_INFINITY));
});

test('deployments of different apps run concurrently', async () => {
  await using world = await World.with();
  world.addApp('api');
  const gate = world.engine.controls.pause('start');
  const slow = await world.request({ tag: 'v1' });
  await gate.reached;

  const quick = await world.request({ tag: 'v1' }, 'api');
  await world.machine.ended(quick, patience());

  assert.equal(world.row(quick).status, 'succeeded');
  assert.equal(world.row(slow).status, 'running');
  gate.open();
});

test('a cancellation before the traffic switch restores the previous state', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  await world.reconcile();
  const before = await world.snapshot();
  const gate = world.engine.controls.pause('probe');
  const id = await world.request({ tag: 'v2' });
  await gate.reached;

  const cancelled = world.machine.cancel(id);
  gate.open();
  await cancelled;

  assert.equal(world.row(id).status, 'cancelled');
  assert.equal(world.row(id).error, 'The deployment was canceled. Release v1 is still live.');
  await world.reconcile();
  assert.deepEqual(await world.snapshot(), before);
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
  await using world = await World.with({}, steps);
  const id = await world.request({ tag: 'v1' });
  await waits;

  await world.machine.cancel(id);

  assert.deepEqual([world.row(id).status, world.row(id).error], ['cancelled', 'The deployment was canceled.']);
});

test('the next process completes a deployment after a restart during the health check', async () => {
  const { steps, waits } = waitingCheck();
  await using world = await World.with({}, steps);
  const id = await world.request({ tag: 'v1' });
  await waits;

  await world.crash();
  await world.machine.settled();

  assert.deepEqual([world.row(id).status, world.row(id).error], ['succeeded', null]);
});

test('refuses a cancellation during the traffic switch, and the deployment succeeds', async () => {
  await using world = await World.with();
  const gate = world.proxy.gate();
  const id = await world.request({ tag: 'v1' });
  await gate.entered;

  await assert.rejects(world.machine.cancel(id), (error: Error) => {
    assert.ok(error instanceof DavitError);
    assert.equal(error.code, 'conflict');
    assert.match(error.message, /while it switches the traffic/);
    return true;
  });
  gate.open();
  await world.machine.settled();

  assert.equal(world.row(id).status, 'succeeded');
});

test('cancels a waiting deployment and refuses to cancel a finished deployment', async () => {
  await using world = await World.with();
  const gate = world.engine.controls.pause('start');
  const running = await world.request({ tag: 'v1' });
  await gate.reached;
  const waiting = await world.request({ tag: 'v2' });

  await world.machine.cancel(waiting);
  gate.open();
  await world.machine.settled();

  assert.equal(world.row(waiting).status, 'cancelled');
  await assert.rejects(world.machine.cancel(waiting), /was already canceled/);
  await assert.rejects(world.machine.cancel(running), /has already succeeded/);
});

test('an app deleted during its deployment leaves no resources behind', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  const gate = world.engine.controls.pause('probe');
  await world.request({ tag: 'v2' });
  await gate.reached;

  const deleted = deleteApp(world.core, world.ctx, world.app());
  gate.open();
  await deleted;
  await world.reconcile();

  assert.deepEqual(world.engine.controls.containers(), []);
  assert.deepEqual(await world.engine.heldImages(), []);
  assert.deepEqual(world.core.store.all(unchecked('SELECT id FROM apps')), []);
  assert.equal(world.proxy.serving('web.production.shop.localhost'), null);
});

test('an app deleted during the traffic switch is removed after the switch', async () => {
  await using world = await World.with();
  const gate = world.proxy.gate();
  await world.request({ tag: 'v1' });
  await gate.entered;

  const deleted = deleteApp(world.core, world.ctx, world.app());
  gate.open();
  await deleted;
  await world.reconcile();

  assert.deepEqual(world.engine.controls.containers(), []);
  assert.deepEqual(world.core.store.all(unchecked('SELECT id FROM apps')), []);
});

test('refuses to deploy a deleted app', async () => {
  await using world = await World.with();
  const app = world.app();
  await deleteApp(world.core, world.ctx, app);

  await assert.rejects(world.machine.request(app, { tag: 'v1', trigger: { kind: 'api', by: 'ada', via: 'api' } }), {
    code: 'not_found',
  });
});

test('does not stop the old release before the traffic switch is recorded', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  const gate = world.proxy.gate();
  await world.request({ tag: 'v2' });
  await gate.entered;

  await world.look();
  const { retirementTask } = await import('../../src/reconcilers/retirement.ts');
  await retirementTask(world.core).run(new AbortController().signal);

  assert.equal(world.engine.controls.count('stop'), 0);
  gate.open();
  await world.machine.settled();
});

test('a new daemon completes the retirement of the old release after a crash', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  await world.deploy('v2');

  await world.crash();
  await world.reconcile();

  assert.deepEqual(
    world.engine.controls.containers().map((c) => c.name),
    ['davit-testtest-2-1'],
  );
});

test('a wait for a deployment ends with a retry message if the daemon stops', async () => {
  await using world = await World.with();
  const gate = world.engine.controls.pause('start');
  const id = await world.request({ tag: 'v1' });
  await gate.reached;
  const waited = world.machine.ended(id, new AbortController().signal);

  const stopped = world.crash();
  gate.open();

  await assert.rejects(waited, /send the request again/);
  await stopped;
});

test('removes the containers of a deleted app without the proxy but keeps the addresses reserved', async () => {
  await using world = await World.with({ stop: { signal: 'SIGQUIT' } });
  await world.deploy('v1');
  world.proxy.setUnavailable('the proxy is gone');

  await deleteApp(world.core, world.ctx, world.app()).catch(() => undefined);

  assert.deepEqual(world.engine.controls.containers(), []);
  assert.equal(world.core.store.all(unchecked('SELECT id FROM instances')).length, 1);
  world.proxy.setUnavailable(null);
  await world.machine.removeDeleted();
  assert.deepEqual(world.core.store.all(unchecked('SELECT id FROM apps')), []);
});

test('a cancellation ends a deployment whose registry never responds', async () => {
  await using world = await World.with({ pull: 'always' });
  const asked = Promise.withResolvers<void>();
  const findRemoteImage = (): Promise<string> => {
    asked.resolve();
    return new Promise(() => undefined);
  };
  Object.assign(world.core.engine, { findRemoteImage });
  const id = await world.request({ tag: 'v1' });
  await asked.promise;

  await world.machine.cancel(id);

  assert.equal(world.row(id).status, 'cancelled');
});

test('a deletion does not wait for a blocked deployment in another project', async () => {
  await using world = await World.with();
  createProject(world.core, world.ctx, { slug: 'other' });
  const input = { project: 'other', environment: 'production', name: 'web', source: 'image', image: 'acme/web' };
  createApp(world.core, world.ctx, AppCreate.parse(input));
  // A cancellation does not end this call.
  const gate = world.engine.controls.pause('holdImage');
  const id = await world.request({ tag: 'v1' });
  await gate.reached;
  const first = deleteApp(world.core, world.ctx, world.app());

  const other = { project: 'other', environment: 'production', app: 'web' };
  await deleteApp(world.core, world.ctx, lookUp(world.core.store, world.ctx.actor, 'operate', 'app', other));

  assert.equal(world.row(id).status, 'running');
  assert.deepEqual(world.core.store.all(unchecked('SELECT id FROM apps')), [{ id: world.row(id).app_id }]);
  gate.open();
  await first;
  assert.deepEqual(world.core.store.all(unchecked('SELECT id FROM apps')), []);
});

test('a restart does not replace a waiting deployment and runs the release live afterwards', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  const gate = world.engine.controls.pause('start');
  await world.request({ tag: 'v2' });
  await gate.reached;
  const waiting = await world.request({ tag: 'v3' });
  const restart = await world.request({ trigger: { kind: 'restart', ...by } });

  gate.open();
  await world.machine.settled();

  assert.equal(world.row(waiting).status, 'succeeded');
  assert.deepEqual([world.row(restart).status, world.row(restart).tag], ['succeeded', 'v3']);
});

test('a promotion uses the release live at request time despite a newer source deployment', async () => {
  await using world = await World.with();
  world.addApp('copy');
  const first = await world.deploy('v1');
  const gate = world.engine.controls.pause('start');
  const promoted = await world.request({ from: world.app(), trigger: { kind: 'promote', ...by } }, 'copy');
  await gate.reached;

  const second = await world.request({ tag: 'v2' });
  await world.machine.ended(second, patience());
  gate.open();
  await world.machine.settled();
  await world.reconcile();

  assert.equal(world.app().liveDeployment, second);
  const row = world.row(promoted);
  assert.deepEqual([row.status, row.image_id, row.promoted_deployment], ['succeeded', first.image_id, first.id]);
});

test('a setting change during a promotion deploys the promoted image', async () => {
  await using world = await World.with();
  world.addApp('copy', { image: 'acme/copy' });
  const first = await world.deploy('v1');
  const gate = world.engine.controls.pause('start');
  await world.request({ from: world.app(), trigger: { kind: 'promote', ...by } }, 'copy');
  await gate.reached;

  const { id } = await deploySettings(world.core, world.ctx, world.app('copy'), patching({ args: ['a'] }));
  gate.open();
  await world.machine.settled();

  assert.deepEqual([world.row(id).status, world.row(id).image_id], ['succeeded', first.image_id]);
});

test('refuses to delete a deployment record whose image is used by a rollback', async () => {
  await using world = await World.with();
  world.addApp('copy');
  const first = await world.deploy('v1');
  await world.deploy('v2');
  await world.reconcile();
  const gate = world.engine.controls.pause('holdImage');
  await world.request({ rollbackOf: first.id });
  await gate.reached;

  const target = { app: world.app(), deployment: world.row(first.id) };
  await assert.rejects(deleteDeployment(world.core, world.ctx, target), /uses the image of deployment 1\. Wait/);
  gate.open();
  await world.machine.settled();
});

test('a change with a deployment applies after the engine check and keeps concurrent changes', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  const gate = world.engine.controls.pause('info');
  const asked = deploySettings(world.core, world.ctx, world.app(), patching({ args: ['a'] }));
  await gate.reached;

  // Users do not see the change before it is certain.
  assert.equal(world.app().revision, 1);
  await world.machine.stop(world.app().id);
  await patchApp(world.core, world.ctx, world.app(), { command: ['other'] });
  gate.open();
  await asked;
  await world.machine.settled();

  assert.deepEqual([world.app().revision, world.app().spec.command, world.app().spec.args], [3, ['other'], ['a']]);
  assert.equal(world.app().liveRevision, 3);
});
