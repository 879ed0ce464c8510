/** What is done about live instances that are down. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineRefused } from '../src/engine/errors.ts';
import { allInstances } from '../src/store/instance.ts';
import { insertTcpPort } from '../src/store/tcp-port.ts';
import { World } from './support/world.ts';

/** Two apps with a live release each, whose containers were stopped behind our back. */
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

function states(world: World): string[] {
  return world.engine.controls.containers().map(({ state }) => state);
}

test('a live instance that somebody stopped is started again', async () => {
  await using world = await stopped();

  await world.look();

  assert.deepEqual(states(world), ['running', 'running']);
});

test('an instance that the engine refuses to start keeps no other from being started', async () => {
  await using world = await stopped();
  world.engine.controls.fail('start', { error: new EngineRefused('start container: it already exists') });

  await assert.rejects(world.look(), /the engine refuses to start what should run/);

  assert.deepEqual(states(world), ['exited', 'running']);
});

test('what the engine refused to start is tried again after a while and not at once', async () => {
  await using world = await stopped();
  world.engine.controls.fail('start', { error: new EngineRefused('start container: it already exists') });
  await assert.rejects(world.look());
  const tries = world.engine.controls.count('start');

  await world.look();
  assert.equal(world.engine.controls.count('start'), tries);
  await world.reconcile();

  assert.deepEqual(states(world), ['running', 'running']);
});

test('what a deployment has stopped to make room for the next release is left down while that starts', async () => {
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

test('an instance that was looked at before it was started is not down when its release is live', async () => {
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

test('an app whose container somebody removed is deployed again, exactly as it was', async () => {
  await using world = await World.with();
  const first = await world.deploy('v1');
  await world.reconcile();
  await world.engine.remove(world.engine.controls.containers()[0]?.id ?? '');

  await world.look();
  await world.machine.settled();

  const again = world.row(2);
  assert.deepEqual(
    { kind: again.trigger_kind, by: again.trigger_by, status: again.status, digest: again.digest },
    { kind: 'restart', by: 'davit', status: 'succeeded', digest: first.digest },
  );
  assert.equal(world.app().liveDeployment, 2);
  assert.equal(world.proxy.serving('web.production.shop.localhost')?.length, 1);
});

test('what could not be deployed again is not tried at every look', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  await world.engine.remove(world.engine.controls.containers()[0]?.id ?? '');
  world.engine.controls.fail('createGroup', { times: 100, error: new EngineRefused('create container: no') });

  await world.look();
  await world.machine.settled();
  await world.look();
  await world.machine.settled();

  assert.deepEqual(world.statuses(), ['succeeded', 'failed']);
});

test('an engine that lost everything is filled again a few apps at a time', async () => {
  await using world = await World.with();
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) {
    world.addApp(name);
    await world.request({ tag: 'v1' }, name);
  }
  await world.machine.settled();
  for (const { id } of world.engine.controls.containers()) await world.engine.remove(id);

  await world.look();
  assert.equal(world.statuses().length, names.length + 4);
  await world.machine.settled();
  await world.look();
  await world.machine.settled();

  assert.equal(world.statuses().length, names.length * 2);
  assert.equal(world.engine.controls.containers().length, names.length);
});
