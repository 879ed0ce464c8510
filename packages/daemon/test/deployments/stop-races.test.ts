/** Stops, starts and deletions while other operations are in progress. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { DavitError } from '@davit/api';
import { unchecked } from '../../src/db/select.ts';
import { insertVolume } from '../../src/db/tables/volume.ts';
import { deleteApp } from '../../src/resources/apps/settings.ts';
import { World } from '../support/world.ts';

const by = { by: 'ada', via: 'api' } as const;

function addVolume(world: World): void {
  const { id: appId, project, reference } = world.app();
  const volume = { appId, projectId: project.id, app: reference, path: '/data', at: 0 };
  world.core.store.tx((tx) => insertVolume(tx, volume, (id) => `davit-testtest-v${id}`));
}

for (const exclusive of [false, true]) {
  test(`a stop cancels the running and the waiting deployment${exclusive ? ', also one that has stopped the old release' : ''}`, async () => {
    await using world = await World.with();
    if (exclusive) addVolume(world);
    await world.deploy('v1');
    const gate = world.engine.controls.pause('probe');
    const running = await world.request({ tag: 'v2' });
    await gate.reached;
    const waiting = await world.request({ tag: 'v3' });

    await world.machine.stop(world.app().id);
    gate.open();
    await world.machine.settled();
    await world.reconcile();

    assert.deepEqual(
      [world.row(running).status, world.row(running).error],
      ['cancelled', 'The deployment was canceled. The app stays stopped.'],
    );
    assert.deepEqual(
      [world.row(waiting).status, world.row(waiting).error],
      ['cancelled', 'The app was stopped before this deployment started.'],
    );
    assert.deepEqual(world.engine.controls.containers(), []);
    assert.equal(world.app().stopped, true);
  });
}

test('refuses a stop during the traffic switch and accepts the stop afterwards', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  const gate = world.proxy.gate();
  const id = await world.request({ tag: 'v2' });
  await gate.entered;

  await assert.rejects(
    world.machine.stop(world.app().id),
    /cannot be stopped while deployment \d+ switches the traffic/,
  );
  gate.open();
  await world.machine.settled();
  await world.machine.stop(world.app().id);
  await world.reconcile();

  assert.equal(world.row(id).status, 'succeeded');
  assert.deepEqual(world.engine.controls.containers(), []);
});

test('a stop during a start cancels the start and leaves the app stopped', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  await world.machine.stop(world.app().id);
  const gate = world.engine.controls.pause('start');
  const id = await world.request({ trigger: { kind: 'start', ...by } });
  await gate.reached;

  await world.machine.stop(world.app().id);
  gate.open();
  await world.machine.settled();
  await world.reconcile();

  assert.equal(world.row(id).status, 'cancelled');
  assert.equal(world.app().stopped, true);
  assert.deepEqual(world.engine.controls.containers(), []);
});

test('a failed start does not bring back the draining release of a stopped app', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  world.proxy.setOpenSessions('i1', 1);
  await world.machine.stop(world.app().id);
  world.proxy.setDown('i2', 'no connection');

  const id = await world.request({ trigger: { kind: 'start', ...by } });
  await world.machine.settled();

  assert.equal(world.row(id).status, 'failed');
  assert.deepEqual(world.proxy.serving('web.production.shop.localhost'), []);
  await world.reconcile();
  assert.deepEqual(world.engine.controls.containers(), []);
});

test('accepts only the first of two concurrent starts', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  await world.machine.stop(world.app().id);
  const start = () => world.request({ trigger: { kind: 'start', ...by } });

  const outcomes = await Promise.allSettled([start(), start()]);
  await world.machine.settled();

  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  assert.deepEqual(world.statuses(), ['succeeded', 'succeeded']);
});

test('a start of an app with a volume waits until the stopped instance has exited', async () => {
  await using world = await World.with();
  addVolume(world);
  await world.deploy('v1');
  world.proxy.setOpenSessions('i1', 1);
  await world.machine.stop(world.app().id);

  const id = await world.request({ trigger: { kind: 'start', ...by } });
  await world.machine.settled();

  assert.equal(world.row(id).status, 'succeeded');
  const states = world.engine.controls.containers().map(({ state }) => state);
  assert.deepEqual(states, ['exited', 'running']);
});

test('an app deleted during a start leaves no resources behind', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  await world.machine.stop(world.app().id);
  const gate = world.engine.controls.pause('probe');
  await world.request({ trigger: { kind: 'start', ...by } });
  await gate.reached;

  const deleted = deleteApp(world.core, world.ctx, world.app());
  gate.open();
  await deleted;
  await world.reconcile();

  assert.deepEqual(world.engine.controls.containers(), []);
  assert.deepEqual(await world.engine.heldImages(), []);
  assert.deepEqual(world.core.store.all(unchecked('SELECT id FROM apps')), []);
});

test('refuses to start, stop or restart a deleted app', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  const app = world.app();
  await deleteApp(world.core, world.ctx, app);

  for (const kind of ['start', 'restart'] as const) {
    await assert.rejects(world.machine.request(app, { trigger: { kind, ...by } }), DavitError);
  }
  await assert.rejects(world.machine.stop(app.id), { code: 'not_found' });
});
