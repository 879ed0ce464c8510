/** Handling of active replicas that are down. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { allInstances } from '../../src/db/tables/instance.ts';
import { insertTcpPort } from '../../src/db/tables/tcp-port.ts';
import { World } from '../support/world.ts';

/** Returns an environment with two live apps whose containers were stopped by another program. */
async function stopped(): Promise<World> {
  const world = await World.with();
  world.addApp('api');
  await world.deploy('v1');
  await world.request({ tag: 'v1' }, 'api');
  await world.machine.settled();
  await world.reconcile();
  for (const { id } of world.engine.controls.containers()) {
    await world.engine.stop(id, { signal: 'SIGTERM', graceS: 0 });
  }
  return world;
}

/** Returns an environment whose live release has lost its container. */
async function withoutContainer(): Promise<World> {
  const world = await World.with();
  await world.deploy('v1');
  await world.reconcile();
  await world.engine.remove(world.engine.controls.containers()[0]?.id ?? '');
  return world;
}

function states(world: World): string[] {
  return world.engine.controls.containers().map(({ state }) => state);
}

test('starts a live instance again after a manual stop', async () => {
  await using world = await stopped();

  await world.look();

  assert.deepEqual(states(world), ['running', 'running']);
});

test('resumes a live instance after a manual pause', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  await world.reconcile();
  const [before] = world.engine.controls.containers();
  world.engine.controls.freeze(before?.id ?? '');

  await world.look();

  const [after, ...others] = world.engine.controls.containers();
  assert.deepEqual([after?.id, after?.state, others], [before?.id, 'running', []]);
});

test('replaces a container that the engine refuses to start without delaying other instances', async () => {
  await using world = await stopped();
  const before = world.engine.controls.containers().map(({ id }) => id);
  world.engine.controls.fail('start', { times: 3, error: new EngineRefused('start container: network not found') });

  await world.look();

  assert.deepEqual(states(world), ['running', 'running']);
  assert.equal(world.engine.controls.containers().filter(({ id }) => before.includes(id)).length, 1);
  assert.equal(world.statuses().length, 2);
});

test('retries a failed instance start after a delay and shows the reason on the app', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  await world.reconcile();
  await world.engine.stop(world.engine.controls.containers()[0]?.id ?? '', { signal: 'SIGTERM', graceS: 0 });
  world.engine.controls.fail('start', { times: 3, error: new EngineRefused('start container: no room') });

  await world.look();
  const tries = world.engine.controls.count('start');
  assert.match(world.reason() ?? '', /no room/);
  await world.look();
  assert.equal(world.engine.controls.count('start'), tries);
  world.wait(5_000);
  await world.look();
  await world.look();

  assert.deepEqual(states(world), ['running']);
  assert.equal(world.reason(), null);
});

test('leaves a release stopped for an exclusive deployment down while the new release starts', async () => {
  await using world = await World.with();
  const port = { app_id: world.app().id, container_port: 5432, host_port: 17_000, created_at: 0 };
  world.core.store.tx((tx) => insertTcpPort(tx, port));
  await world.deploy('v1');
  await world.reconcile();
  const gate = world.engine.controls.pause('start');
  await world.request({ tag: 'v2' });
  await gate.reached;

  await world.look();

  assert.deepEqual(states(world), ['exited', 'created']);
  gate.open();
  await world.machine.settled();
  assert.deepEqual(world.statuses(), ['succeeded', 'succeeded']);
});

test('records a new live instance as running despite an inspection before its start', async () => {
  await using world = await World.with();
  const gate = world.engine.controls.pause('start');
  await world.request({ tag: 'v1' });
  await gate.reached;

  await world.look();
  gate.open();
  await world.machine.settled();

  assert.deepEqual(world.statuses(), ['succeeded']);
  const observed = allInstances(world.core.store).map((row) => row.observed);
  assert.deepEqual(observed, ['running']);
});

test('creates a removed container again from its release, at the same address', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  await world.reconcile();
  const [before] = allInstances(world.core.store);
  await world.engine.remove(before?.container_id ?? '');

  await world.look();
  await world.look();

  const [after] = allInstances(world.core.store);
  assert.notEqual(after?.container_id, before?.container_id);
  assert.deepEqual([after?.address, after?.kept, after?.observed], [before?.address, 1, 'running']);
  assert.deepEqual(states(world), ['running']);
  assert.deepEqual(world.statuses(), ['succeeded']);
  assert.equal(world.proxy.serving('web.production.shop.localhost')?.length, 1);
});

test('restores a removed network and a removed image before the container of the app', async () => {
  await using world = await withoutContainer();
  const { image_id } = world.row(world.app().liveDeployment ?? 0);
  for (const name of await world.engine.networks()) await world.engine.removeNetwork(name);
  world.engine.controls.removeImage(image_id ?? '');

  await world.look();

  assert.deepEqual(states(world), ['running']);
  assert.equal((await world.engine.findImageById(image_id ?? ''))?.id, image_id);
  assert.equal(world.reason(), null);
});

test('retries the replacement of a container after a repair that failed before the replacement', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  await world.reconcile();
  const [before] = world.engine.controls.containers();
  await world.engine.stop(before?.id ?? '', { signal: 'SIGTERM', graceS: 0 });
  const noNetwork = new EngineRefused('start container: network not found');
  world.engine.controls.fail('ensureNetwork', { times: 1, error: new EngineRefused('create network: starting up') });
  world.engine.controls.fail('start', { times: 2, error: noNetwork });

  await world.look();
  assert.match(world.reason() ?? '', /starting up/);
  world.wait(5_000);
  await world.look();
  await world.look();

  assert.deepEqual(states(world), ['running']);
  assert.notEqual(world.engine.controls.containers()[0]?.id, before?.id);
});

test('replaces a running container that has lost its network', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  await world.reconcile();
  const [before] = world.engine.controls.containers();
  world.engine.controls.cutOff(before?.id ?? '');

  await world.look();

  const [after, ...others] = world.engine.controls.containers();
  assert.deepEqual([after?.state, after?.address, others], ['running', before?.address, []]);
  assert.notEqual(after?.id, before?.id);
});

test('shows a missing image as the reason and starts the app after the image returns', async () => {
  await using world = await withoutContainer();
  const { image_id } = world.row(world.app().liveDeployment ?? 0);
  const restore = world.engine.controls.removeImage(image_id ?? '');
  world.engine.controls.fail('pullImage', { times: 100, error: new EngineRefused('pull image: no route to host') });

  await world.look();
  assert.match(world.reason() ?? '', /^Docker no longer has the image acme\/web:v1 of the live release, and /);
  const pulls = world.engine.controls.count('pullImage');
  world.wait(5_000);
  await world.look();
  assert.equal(world.engine.controls.count('pullImage'), pulls, 'a registry is not asked every time');
  restore();
  world.wait(5_000);
  await world.look();
  await world.look();

  assert.deepEqual(states(world), ['running']);
  assert.equal(world.reason(), null);
});

test('a deployment ends the repair of its app and replaces the container', async () => {
  await using world = await withoutContainer();
  const gate = world.engine.controls.pause('createGroup');
  const looked = world.look();
  await gate.reached;

  const id = await world.request({ tag: 'v2' });
  gate.open();
  await looked;
  await world.machine.settled();
  await world.reconcile();

  assert.equal(world.row(id).status, 'succeeded');
  assert.equal(world.engine.controls.containers().length, 1);
  assert.equal(world.app().liveDeployment, id);
});

test('a repair does not bring back an app that is stopped during the repair', async () => {
  await using world = await withoutContainer();
  const gate = world.engine.controls.pause('createGroup');
  const looked = world.look();
  await gate.reached;

  await world.machine.stop(world.app().id);
  gate.open();
  await looked;
  await world.reconcile();

  assert.deepEqual(states(world), []);
});

test('restores all apps on an engine that has lost every container', async () => {
  await using world = await World.with();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const name of names) {
    world.addApp(name);
    await world.request({ tag: 'v1' }, name);
  }
  await world.machine.settled();
  for (const { id } of world.engine.controls.containers()) await world.engine.remove(id);

  await world.look();

  assert.equal(world.statuses().length, names.length);
  assert.deepEqual(
    states(world),
    names.map(() => 'running'),
  );
});

test('restores an app although a container of another app cannot be removed', async () => {
  await using world = await stopped();
  const api = world.app('api').id;
  world.core.store.tx((tx) => tx.run("UPDATE instances SET role = 'gone' WHERE app_id = ?", api));
  world.engine.controls.fail('remove', { error: new EngineRefused('remove container: busy') });

  await assert.rejects(world.look(), /refuses to remove containers/);

  assert.deepEqual(states(world).sort(), ['exited', 'running']);
});
