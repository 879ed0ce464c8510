/** Handling of active replicas that are down. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { allInstances } from '../../src/db/tables/instance.ts';
import { insertTcpPort } from '../../src/db/tables/tcp-port.ts';
import { Harness } from '../support/harness.ts';

/** Returns an environment with two live apps whose containers were stopped by another program. */
async function stopped(): Promise<Harness> {
  const harness = await Harness.with();
  harness.addApp('api');
  await harness.deploy('v1');
  await harness.request({ tag: 'v1' }, 'api');
  await harness.machine.settled();
  await harness.reconcile();
  for (const { id } of harness.engine.controls.containers()) {
    await harness.engine.stop(id, { signal: 'SIGTERM', graceS: 0 });
  }
  return harness;
}

/** Returns an environment whose live release has lost its container. */
async function withoutContainer(): Promise<Harness> {
  const harness = await Harness.with();
  await harness.deploy('v1');
  await harness.reconcile();
  await harness.engine.remove(harness.engine.controls.containers()[0]?.id ?? '');
  return harness;
}

function states(harness: Harness): string[] {
  return harness.engine.controls.containers().map(({ state }) => state);
}

test('starts a live instance again after a manual stop', async () => {
  await using harness = await stopped();

  await harness.look();

  assert.deepEqual(states(harness), ['running', 'running']);
});

test('resumes a live instance after a manual pause', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  await harness.reconcile();
  const [before] = harness.engine.controls.containers();
  harness.engine.controls.freeze(before?.id ?? '');

  await harness.look();

  const [after, ...others] = harness.engine.controls.containers();
  assert.deepEqual([after?.id, after?.state, others], [before?.id, 'running', []]);
});

test('replaces a container that the engine refuses to start without delaying other instances', async () => {
  await using harness = await stopped();
  const before = harness.engine.controls.containers().map(({ id }) => id);
  harness.engine.controls.fail('start', { times: 3, error: new EngineRefused('start container: network not found') });

  await harness.look();

  assert.deepEqual(states(harness), ['running', 'running']);
  assert.equal(harness.engine.controls.containers().filter(({ id }) => before.includes(id)).length, 1);
  assert.equal(harness.statuses().length, 2);
});

test('retries a failed instance start after a delay and shows the reason on the app', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  await harness.reconcile();
  await harness.engine.stop(harness.engine.controls.containers()[0]?.id ?? '', { signal: 'SIGTERM', graceS: 0 });
  harness.engine.controls.fail('start', { times: 3, error: new EngineRefused('start container: no room') });

  await harness.look();
  const tries = harness.engine.controls.count('start');
  assert.match(harness.reason() ?? '', /no room/);
  await harness.look();
  assert.equal(harness.engine.controls.count('start'), tries);
  harness.wait(5_000);
  await harness.look();
  await harness.look();

  assert.deepEqual(states(harness), ['running']);
  assert.equal(harness.reason(), null);
});

test('leaves a release stopped for an exclusive deployment down while the new release starts', async () => {
  await using harness = await Harness.with();
  const port = { app_id: harness.app().id, container_port: 5432, host_port: 17_000, created_at: 0 };
  harness.core.store.tx((tx) => insertTcpPort(tx, port));
  await harness.deploy('v1');
  await harness.reconcile();
  const gate = harness.engine.controls.pause('start');
  await harness.request({ tag: 'v2' });
  await gate.reached;

  await harness.look();

  assert.deepEqual(states(harness), ['exited', 'created']);
  gate.open();
  await harness.machine.settled();
  assert.deepEqual(harness.statuses(), ['succeeded', 'succeeded']);
});

test('records a new live instance as running despite an inspection before its start', async () => {
  await using harness = await Harness.with();
  const gate = harness.engine.controls.pause('start');
  await harness.request({ tag: 'v1' });
  await gate.reached;

  await harness.look();
  gate.open();
  await harness.machine.settled();

  assert.deepEqual(harness.statuses(), ['succeeded']);
  const observed = allInstances(harness.core.store).map((row) => row.observed);
  assert.deepEqual(observed, ['running']);
});

test('creates a removed container again from its release, at the same address', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  await harness.reconcile();
  const [before] = allInstances(harness.core.store);
  await harness.engine.remove(before?.container_id ?? '');

  await harness.look();
  await harness.look();

  const [after] = allInstances(harness.core.store);
  assert.notEqual(after?.container_id, before?.container_id);
  assert.deepEqual([after?.address, after?.kept, after?.observed], [before?.address, 1, 'running']);
  assert.deepEqual(states(harness), ['running']);
  assert.deepEqual(harness.statuses(), ['succeeded']);
  assert.equal(harness.proxy.serving('web.production.shop.localhost')?.length, 1);
});

test('restores a removed network and a removed image before the container of the app', async () => {
  await using harness = await withoutContainer();
  const { image_id } = harness.row(harness.app().liveDeployment ?? 0);
  for (const name of await harness.engine.networks()) await harness.engine.removeNetwork(name);
  harness.engine.controls.removeImage(image_id ?? '');

  await harness.look();

  assert.deepEqual(states(harness), ['running']);
  assert.equal((await harness.engine.findImageById(image_id ?? ''))?.id, image_id);
  assert.equal(harness.reason(), null);
});

test('retries the replacement of a container after a repair that failed before the replacement', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  await harness.reconcile();
  const [before] = harness.engine.controls.containers();
  await harness.engine.stop(before?.id ?? '', { signal: 'SIGTERM', graceS: 0 });
  const noNetwork = new EngineRefused('start container: network not found');
  harness.engine.controls.fail('ensureNetwork', { times: 1, error: new EngineRefused('create network: starting up') });
  harness.engine.controls.fail('start', { times: 2, error: noNetwork });

  await harness.look();
  assert.match(harness.reason() ?? '', /starting up/);
  harness.wait(5_000);
  await harness.look();
  await harness.look();

  assert.deepEqual(states(harness), ['running']);
  assert.notEqual(harness.engine.controls.containers()[0]?.id, before?.id);
});

test('replaces a running container that has lost its network', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  await harness.reconcile();
  const [before] = harness.engine.controls.containers();
  harness.engine.controls.cutOff(before?.id ?? '');

  await harness.look();

  const [after, ...others] = harness.engine.controls.containers();
  assert.deepEqual([after?.state, after?.address, others], ['running', before?.address, []]);
  assert.notEqual(after?.id, before?.id);
});

test('shows a missing image as the reason and starts the app after the image returns', async () => {
  await using harness = await withoutContainer();
  const { image_id } = harness.row(harness.app().liveDeployment ?? 0);
  const restore = harness.engine.controls.removeImage(image_id ?? '');
  harness.engine.controls.fail('pullImage', { times: 100, error: new EngineRefused('pull image: no route to host') });

  await harness.look();
  assert.match(harness.reason() ?? '', /^Docker no longer has the image acme\/web:v1 of the live release, and /);
  const pulls = harness.engine.controls.count('pullImage');
  harness.wait(5_000);
  await harness.look();
  assert.equal(harness.engine.controls.count('pullImage'), pulls, 'a registry is not asked every time');
  restore();
  harness.wait(5_000);
  await harness.look();
  await harness.look();

  assert.deepEqual(states(harness), ['running']);
  assert.equal(harness.reason(), null);
});

test('a deployment ends the repair of its app and replaces the container', async () => {
  await using harness = await withoutContainer();
  const gate = harness.engine.controls.pause('createGroup');
  const looked = harness.look();
  await gate.reached;

  const id = await harness.request({ tag: 'v2' });
  gate.open();
  await looked;
  await harness.machine.settled();
  await harness.reconcile();

  assert.equal(harness.row(id).status, 'succeeded');
  assert.equal(harness.engine.controls.containers().length, 1);
  assert.equal(harness.app().liveDeployment, id);
});

test('a repair does not bring back an app that is stopped during the repair', async () => {
  await using harness = await withoutContainer();
  const gate = harness.engine.controls.pause('createGroup');
  const looked = harness.look();
  await gate.reached;

  await harness.machine.stop(harness.app().id);
  gate.open();
  await looked;
  await harness.reconcile();

  assert.deepEqual(states(harness), []);
});

test('restores all apps on an engine that has lost every container', async () => {
  await using harness = await Harness.with();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const name of names) {
    harness.addApp(name);
    await harness.request({ tag: 'v1' }, name);
  }
  await harness.machine.settled();
  for (const { id } of harness.engine.controls.containers()) await harness.engine.remove(id);

  await harness.look();

  assert.equal(harness.statuses().length, names.length);
  assert.deepEqual(
    states(harness),
    names.map(() => 'running'),
  );
});

test('restores an app although a container of another app cannot be removed', async () => {
  await using harness = await stopped();
  const api = harness.app('api').id;
  harness.core.store.tx((tx) => tx.run("UPDATE instances SET role = 'gone' WHERE app_id = ?", api));
  harness.engine.controls.fail('remove', { error: new EngineRefused('remove container: busy') });

  await assert.rejects(harness.look(), /refuses to remove containers/);

  assert.deepEqual(states(harness).sort(), ['exited', 'running']);
});
