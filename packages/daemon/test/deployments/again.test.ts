/** A restart, a rollback, a change of the scale and new limits run only a present or former live release. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { MemoryRegistryControls } from '../../src/adapters/registry/memory/memory-registry.ts';
import type { ImageRegistry } from '../../src/adapters/registry/registry.ts';
import { patchApp } from '../../src/resources/apps/settings.ts';
import { refusal } from '../support/core-harness.ts';
import { Harness } from '../support/harness.ts';

/** Removes an image from the engine with everything that was created from it. */
async function lose(harness: Harness, reference: string): Promise<void> {
  for (const { id } of harness.engine.controls.containers()) await harness.engine.remove(id);
  for (const tag of await harness.engine.heldImages()) await harness.engine.releaseImage(tag);
  harness.engine.controls.forgetImage(reference);
}

test('a restart pulls the missing live image by digest after its tag has moved', async () => {
  await using harness = await Harness.with();
  const first = await harness.deploy('v1');
  await lose(harness, 'acme/web:v1');
  harness.engine.controls.addImage('acme/web:v1', { where: 'registry' });

  const id = await harness.request({ trigger: { kind: 'restart', by: 'ada', via: 'api' } });
  await harness.machine.settled();

  const row = harness.row(id);
  assert.deepEqual([row.status, row.image_id, row.digest], ['succeeded', first.image_id, first.digest]);
});

test('a restart fails if the live image was built locally and no longer exists', async () => {
  await using harness = await Harness.with();
  harness.engine.controls.addImage('acme/web:v1', { digest: null });
  await harness.deploy('v1');
  await lose(harness, 'acme/web:v1');
  harness.engine.controls.addImage('acme/web:v1', { digest: null });

  const id = await harness.request({ trigger: { kind: 'restart', by: 'ada', via: 'api' } });
  await harness.machine.settled();

  assert.equal(harness.row(id).status, 'failed');
  assert.match(
    harness.row(id).error ?? '',
    /does not exist any more, and acme\/web:v1 now refers to a different image/,
  );
});

test('a rollback runs the image and the settings of the earlier deployment', async () => {
  await using harness = await Harness.with();
  const first = await harness.deploy('v1');
  harness.engine.controls.addImage('acme/web:v1');
  await harness.deploy('v2');

  const id = await harness.request({ rollbackOf: first.id, trigger: { kind: 'rollback', by: 'ada', via: 'api' } });
  await harness.machine.settled();

  const row = harness.row(id);
  assert.deepEqual(
    { status: row.status, digest: row.digest, revision: row.revision, of: row.rollback_of },
    { status: 'succeeded', digest: first.digest, revision: first.revision, of: first.id },
  );
});

test('a rollback pulls a missing image again from the registry of the instance', async () => {
  await using harness = await Harness.with({ source: 'registry', image: null });
  const registry = harness.core.registry as ImageRegistry & MemoryRegistryControls;
  const repository = harness.app().reference;
  registry.push(repository, 'latest', 'first');
  const first = await harness.deploy('latest');
  registry.push(repository, 'latest', 'second');
  const second = await harness.deploy('latest');
  await lose(harness, `localhost:5000/${repository}@${first.digest}`);

  const rollback = { rollbackOf: first.id, trigger: { kind: 'rollback', by: 'ada', via: 'api' } } as const;
  const id = await harness.request(rollback);
  await harness.machine.settled();
  assert.deepEqual([harness.row(id).status, harness.row(id).digest], ['succeeded', first.digest]);
  assert.notEqual(first.digest, second.digest);

  await lose(harness, `localhost:5000/${repository}@${first.digest}`);
  await registry.removeManifest(repository, first.digest ?? '');
  await assert.rejects(
    harness.request(rollback),
    refusal('conflict', /does not exist any more\. Deploy its tag instead/),
  );
});

test('a rollback pulls a missing image by digest after its tag has moved', async () => {
  await using harness = await Harness.with();
  const first = await harness.deploy('v1');
  await harness.deploy('v2');
  await lose(harness, 'acme/web:v1');
  harness.engine.controls.addImage('acme/web:v1', { where: 'registry' });

  const id = await harness.request({ rollbackOf: first.id, trigger: { kind: 'rollback', by: 'ada', via: 'api' } });
  await harness.machine.settled();

  const row = harness.row(id);
  assert.deepEqual([row.status, row.image_id, row.digest], ['succeeded', first.image_id, first.digest]);
});

test('refuses a rollback if the image was built locally and no longer exists', async () => {
  await using harness = await Harness.with();
  harness.engine.controls.addImage('acme/web:v1', { digest: null });
  const first = await harness.deploy('v1');
  await harness.deploy('v2');
  await lose(harness, 'acme/web:v1');
  harness.engine.controls.addImage('acme/web:v1', { where: 'registry' });

  const rollback = { rollbackOf: first.id, trigger: { kind: 'rollback', by: 'ada', via: 'api' } } as const;

  await assert.rejects(
    harness.request(rollback),
    refusal('conflict', /does not exist any more\. Deploy its tag instead/),
  );
});

test('refuses a rollback to a failed or unknown deployment', async () => {
  await using harness = await Harness.with();
  const bad = await harness.deploy('crash');

  await assert.rejects(
    harness.request({ rollbackOf: bad.id }),
    refusal('conflict', /Choose a deployment that succeeded/),
  );
  await assert.rejects(harness.request({ rollbackOf: 999 }), refusal('not_found', /no deployment 999/));
});

test('a change of scale runs the live release without pending settings', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  await patchApp(harness.core, harness.ctx, harness.app(), { image: 'acme/other' });

  const app = await patchApp(harness.core, harness.ctx, harness.app(), { scale: 2 });
  await harness.machine.settled();

  const row = harness.row(2);
  assert.deepEqual(
    { kind: row.trigger_kind, status: row.status, image: row.image, revision: row.revision },
    { kind: 'scale', status: 'succeeded', image: 'acme/web:v1', revision: 1 },
  );
  assert.equal(harness.proxy.serving('web.production.shop.localhost')?.length, 2);
  assert.equal(app.pending_changes, true);
});

test('a rollback keeps the current scale of the app', async () => {
  await using harness = await Harness.with();
  const first = await harness.deploy('v1');
  await patchApp(harness.core, harness.ctx, harness.app(), { scale: 2 });
  await harness.machine.settled();
  await harness.deploy('v2');

  await harness.request({ rollbackOf: first.id });
  await harness.machine.settled();

  assert.equal(harness.proxy.serving('web.production.shop.localhost')?.length, 2);
});

test('new limits apply to running containers without a restart or pending changes', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  const before = harness.engine.controls.containers().map((c) => c.id);

  const app = await patchApp(harness.core, harness.ctx, harness.app(), { limits: { memory_bytes: 64 * 2 ** 20 } });

  const [container] = harness.engine.controls.containers();
  assert.equal(container?.limits.memoryBytes, 64 * 2 ** 20);
  assert.deepEqual(
    harness.engine.controls.containers().map((c) => c.id),
    before,
  );
  assert.equal(app.pending_changes, false);
});
