/** The reconciler of the proxy and the reconciler of internal host names do not wait for each other. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { instancesInRole } from '../../src/db/tables/instance.ts';
import { namesTask } from '../../src/reconcilers/names.ts';
import { keepRoutes } from '../../src/reconcilers/routes.ts';
import { World } from '../support/world.ts';

const { signal } = new AbortController();

test('the proxy reconciler runs while the reconciler of internal names is blocked', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  const gate = world.engine.controls.pause('publishNames');
  const names = namesTask(world.core).run(signal);
  await gate.reached;
  const before = world.proxy.tables.length;

  await keepRoutes(world.core).task.run(signal);

  assert.equal(world.proxy.tables.length, before + 1);
  gate.open();
  await names;
});

test('releases an instance address only after both the resolver and the proxy removed the instance', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  world.core.store.tx((tx) => tx.run("UPDATE instances SET role = 'gone'"));
  const names = namesTask(world.core);
  const gone = () => instancesInRole(world.core.store, 'gone').length;

  await keepRoutes(world.core).task.run(signal);
  assert.equal(gone(), 1, 'the names were not published');
  world.proxy.setUnavailable('the proxy is away');
  await names.run(signal);
  assert.equal(gone(), 1, 'the proxy is away');
  world.proxy.setUnavailable(null);
  await names.run(signal);

  assert.equal(gone(), 0);
});
