/** Stops, starts and deletions while other operations are in progress. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { DavitError } from '@davit/api';
import { unchecked } from '../../src/db/select.ts';
import { insertVolume } from '../../src/db/tables/volume.ts';
import { deleteApp } from '../../src/resources/apps/settings.ts';
import { Harness } from '../support/harness.ts';

const by = { by: 'ada', via: 'api' } as const;

function addVolume(harness: Harness): void {
  const { id: appId, project, reference } = harness.app();
  const volume = { appId, projectId: project.id, app: reference, path: '/data', at: 0 };
  harness.core.store.tx((tx) => insertVolume(tx, volume, (id) => `davit-testtest-v${id}`));
}

for (const exclusive of [false, true]) {
  test(`a stop cancels the running and the waiting deployment${exclusive ? ', also one that has stopped the old release' : ''}`, async () => {
    await using harness = await Harness.with();
    if (exclusive) addVolume(harness);
    await harness.deploy('v1');
    const gate = harness.engine.controls.pause('probe');
    const running = await harness.request({ tag: 'v2' });
    await gate.reached;
    const waiting = await harness.request({ tag: 'v3' });

    await harness.machine.stop(harness.app().id);
    gate.open();
    await harness.machine.settled();
    await harness.reconcile();

    assert.deepEqual(
      [harness.row(running).status, harness.row(running).error],
      ['cancelled', 'The deployment was canceled. The app stays stopped.'],
    );
    assert.deepEqual(
      [harness.row(waiting).status, harness.row(waiting).error],
      ['cancelled', 'The app was stopped before this deployment started.'],
    );
    assert.deepEqual(harness.engine.controls.containers(), []);
    assert.equal(harness.app().stopped, true);
  });
}

test('refuses a stop during the traffic switch and accepts the stop afterwards', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  const gate = harness.proxy.gate();
  const id = await harness.request({ tag: 'v2' });
  await gate.entered;

  await assert.rejects(
    harness.machine.stop(harness.app().id),
    /cannot be stopped while deployment \d+ switches the traffic/,
  );
  gate.open();
  await harness.machine.settled();
  await harness.machine.stop(harness.app().id);
  await harness.reconcile();

  assert.equal(harness.row(id).status, 'succeeded');
  assert.deepEqual(harness.engine.controls.containers(), []);
});

test('a stop during a start cancels the start and leaves the app stopped', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  await harness.machine.stop(harness.app().id);
  const gate = harness.engine.controls.pause('start');
  const id = await harness.request({ trigger: { kind: 'start', ...by } });
  await gate.reached;

  await harness.machine.stop(harness.app().id);
  gate.open();
  await harness.machine.settled();
  await harness.reconcile();

  assert.equal(harness.row(id).status, 'cancelled');
  assert.equal(harness.app().stopped, true);
  assert.deepEqual(harness.engine.controls.containers(), []);
});

test('a failed start does not bring back the draining release of a stopped app', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  harness.proxy.setOpenSessions('i1', 1);
  await harness.machine.stop(harness.app().id);
  harness.proxy.setDown('i2', 'no connection');

  const id = await harness.request({ trigger: { kind: 'start', ...by } });
  await harness.machine.settled();

  assert.equal(harness.row(id).status, 'failed');
  assert.deepEqual(harness.proxy.serving('web.production.shop.localhost'), []);
  await harness.reconcile();
  assert.deepEqual(harness.engine.controls.containers(), []);
});

test('accepts only the first of two concurrent starts', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  await harness.machine.stop(harness.app().id);
  const start = () => harness.request({ trigger: { kind: 'start', ...by } });

  const outcomes = await Promise.allSettled([start(), start()]);
  await harness.machine.settled();

  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  assert.deepEqual(harness.statuses(), ['succeeded', 'succeeded']);
});

test('a start of an app with a volume waits until the stopped instance has exited', async () => {
  await using harness = await Harness.with();
  addVolume(harness);
  await harness.deploy('v1');
  harness.proxy.setOpenSessions('i1', 1);
  await harness.machine.stop(harness.app().id);

  const id = await harness.request({ trigger: { kind: 'start', ...by } });
  await harness.machine.settled();

  assert.equal(harness.row(id).status, 'succeeded');
  const states = harness.engine.controls.containers().map(({ state }) => state);
  assert.deepEqual(states, ['exited', 'running']);
});

test('an app deleted during a start leaves no resources behind', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  await harness.machine.stop(harness.app().id);
  const gate = harness.engine.controls.pause('probe');
  await harness.request({ trigger: { kind: 'start', ...by } });
  await gate.reached;

  const deleted = deleteApp(harness.core, harness.ctx, harness.app());
  gate.open();
  await deleted;
  await harness.reconcile();

  assert.deepEqual(harness.engine.controls.containers(), []);
  assert.deepEqual(await harness.engine.heldImages(), []);
  assert.deepEqual(harness.core.store.all(unchecked('SELECT id FROM apps')), []);
});

test('refuses to start, stop or restart a deleted app', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  const app = harness.app();
  await deleteApp(harness.core, harness.ctx, app);

  for (const kind of ['start', 'restart'] as const) {
    await assert.rejects(harness.machine.request(app, { trigger: { kind, ...by } }), DavitError);
  }
  await assert.rejects(harness.machine.stop(app.id), { code: 'not_found' });
});
