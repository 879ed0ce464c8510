/** The reconciler of the proxy and the reconciler of internal host names do not wait for each other. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { instancesInRole } from '../../src/db/tables/instance.ts';
import { namesTask } from '../../src/reconcilers/names.ts';
import { keepRoutes } from '../../src/reconcilers/routes.ts';
import { Harness } from '../support/harness.ts';

const { signal } = new AbortController();

test('the proxy reconciler runs while the reconciler of internal names is blocked', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  const gate = harness.engine.controls.pause('publishNames');
  const names = namesTask(harness.core).run(signal);
  await gate.reached;
  const before = harness.proxy.tables.length;

  await keepRoutes(harness.core).task.run(signal);

  assert.equal(harness.proxy.tables.length, before + 1);
  gate.open();
  await names;
});

test('releases an instance address only after both the resolver and the proxy removed the instance', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  harness.core.store.tx((tx) => tx.run("UPDATE instances SET role = 'gone'"));
  const names = namesTask(harness.core);
  const gone = () => instancesInRole(harness.core.store, 'gone').length;

  await keepRoutes(harness.core).task.run(signal);
  assert.equal(gone(), 1, 'the names were not published');
  harness.proxy.setUnavailable('the proxy is away');
  await names.run(signal);
  assert.equal(gone(), 1, 'the proxy is away');
  harness.proxy.setUnavailable(null);
  await names.run(signal);

  assert.equal(gone(), 0);
});
