/** What is done about live instances that are down. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineRefused } from '../src/engine/engine.ts';
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
