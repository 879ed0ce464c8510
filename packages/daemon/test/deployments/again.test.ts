/** A restart, a rollback, a change of the scale and new limits run only a present or former live release. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { MemoryRegistryControls } from '../../src/adapters/registry/memory/memory-registry.ts';
import type { ImageRegistry } from '../../src/adapters/registry/registry.ts';
import { patchApp } from '../../src/resources/apps/settings.ts';
import { refusal } from '../support/core-world.ts';
import { World } from '../support/world.ts';

/** Removes an image from the engine with everything that was created from it. */
async function lose(world: World, reference: string): Promise<void> {
  for (const { id } of world.engine.controls.containers()) await world.engine.remove(id);
  for (const tag of await world.engine.heldImages()) await world.engine.releaseImage(tag);
  world.engine.controls.forgetImage(reference);
}

test('a restart pulls the missing live image by digest after its tag has moved', async () => {
  await using world = await World.with();
  const first = await world.deploy('v1');
  await lose(world, 'acme/web:v1');
  world.engine.controls.addImage('acme/web:v1', { where: 'registry' });

  const id = await world.request({ trigger: { kind: 'restart', by: 'ada', via: 'api' } });
  await world.machine.settled();

  const row = world.row(id);
  assert.deepEqual([row.status, row.image_id, row.digest], ['succeeded', first.image_id, first.digest]);
});

test('a restart fails if the live image was built locally and no longer exists', async () => {
  await using world = await World.with();
  world.engine.controls.addImage('acme/web:v1', { digest: null });
  await world.deploy('v1');
  await lose(world, 'acme/web:v1');
  world.engine.controls.addImage('acme/web:v1', { digest: null });

  const id = await world.request({ trigger: { kind: 'restart', by: 'ada', via: 'api' } });
  await world.machine.settled();

  assert.equal(world.row(id).status, 'failed');
  assert.match(world.row(id).error ?? '', /does not exist any more, and acme\/web:v1 now refers to a different image/);
});

test('a rollback runs the image and the settings of the earlier deployment', async () => {
  await using world = await World.with();
  const first = await world.deploy('v1');
  world.engine.controls.addImage('acme/web:v1');
  await world.deploy('v2');

  const id = await world.request({ rollbackOf: first.id, trigger: { kind: 'rollback', by: 'ada', via: 'api' } });
  await world.machine.settled();

  const row = world.row(id);
  assert.deepEqual(
    { status: row.status, digest: row.digest, revision: row.revision, of: row.rollback_of },
    { status: 'succeeded', digest: first.digest, revision: first.revision, of: first.id },
  );
});

test('a rollback pulls a missing image again from the registry of the instance', async () => {
  await using world = await World.with({ source: 'registry', image: null });
  const registry = world.core.registry as ImageRegistry & MemoryRegistryControls;
  const repository = world.app().reference;
  registry.push(repository, 'latest', 'first');
  const first = await world.deploy('latest');
  registry.push(repository, 'latest', 'second');
  const second = await world.deploy('latest');
  await lose(world, `localhost:5000/${repository}@${first.digest}`);

  const ask = { rollbackOf: first.id, trigger: { kind: 'rollback', by: 'ada', via: 'api' } } as const;
  const id = await world.request(ask);
  await world.machine.settled();
  assert.deepEqual([world.row(id).status, world.row(id).digest], ['succeeded', first.digest]);
  assert.notEqual(first.digest, second.digest);

  await lose(world, `localhost:5000/${repository}@${first.digest}`);
  await registry.removeManifest(repository, first.digest ?? '');
  await assert.rejects(world.request(ask), refusal('conflict', /does not exist any more\. Deploy its tag instead/));
});

test('a rollback pulls a missing image by digest after its tag has moved', async () => {
  await using world = await World.with();
  const first = await world.deploy('v1');
  await world.deploy('v2');
  await lose(world, 'acme/web:v1');
  world.engine.controls.addImage('acme/web:v1', { where: 'registry' });

  const id = await world.request({ rollbackOf: first.id, trigger: { kind: 'rollback', by: 'ada', via: 'api' } });
  await world.machine.settled();

  const row = world.row(id);
  assert.deepEqual([row.status, row.image_id, row.digest], ['succeeded', first.image_id, first.digest]);
});

test('refuses a rollback if the image was built locally and no longer exists', async () => {
  await using world = await World.with();
  world.engine.controls.addImage('acme/web:v1', { digest: null });
  const first = await world.deploy('v1');
  await world.deploy('v2');
  await lose(world, 'acme/web:v1');
  world.engine.controls.addImage('acme/web:v1', { where: 'registry' });

  const ask = { rollbackOf: first.id, trigger: { kind: 'rollback', by: 'ada', via: 'api' } } as const;

  await assert.rejects(world.request(ask), refusal('conflict', /does not exist any more\. Deploy its tag instead/));
});

test('refuses a rollback to a failed or unknown deployment', async () => {
  await using world = await World.with();
  const bad = await world.deploy('crash');

  await assert.rejects(
    world.request({ rollbackOf: bad.id }),
    refusal('conflict', /Choose a deployment that succeeded/),
  );
  await assert.rejects(world.request({ rollbackOf: 999 }), refusal('conflict', /no deployment 999/));
});

test('a change of scale runs the live release without pending settings', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  await patchApp(world.core, world.ctx, world.app(), { image: 'acme/other' });

  const app = await patchApp(world.core, world.ctx, world.app(), { scale: 2 });
  await world.machine.settled();

  const row = world.row(2);
  assert.deepEqual(
    { kind: row.trigger_kind, status: row.status, image: row.image, revision: row.revision },
    { kind: 'scale', status: 'succeeded', image: 'acme/web:v1', revision: 1 },
  );
  assert.equal(world.proxy.serving('web.production.shop.localhost')?.length, 2);
  assert.equal(app.pending_changes, true);
});

test('a rollback keeps the current scale of the app', async () => {
  await using world = await World.with();
  const first = await world.deploy('v1');
  await patchApp(world.core, world.ctx, world.app(), { scale: 2 });
  await world.machine.settled();
  await world.deploy('v2');

  await world.request({ rollbackOf: first.id });
  await world.machine.settled();

  assert.equal(world.proxy.serving('web.production.shop.localhost')?.length, 2);
});

test('new limits apply to running containers without a restart or pending changes', async () => {
  await using world = await World.with();
  await world.deploy('v1');
  const before = world.engine.controls.containers().map((c) => c.id);

  const app = await patchApp(world.core, world.ctx, world.app(), { limits: { memory_bytes: 64 * 2 ** 20 } });

  const [container] = world.engine.controls.containers();
  assert.equal(container?.limits.memoryBytes, 64 * 2 ** 20);
  assert.deepEqual(
    world.engine.controls.containers().map((c) => c.id),
    before,
  );
  assert.equal(app.pending_changes, false);
});
