/** Object stores that are restored from the trash at critical moments. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ObjectStoreCreate } from '@davit/api';
import { lookUp } from '../../src/authorization/lookup.ts';
import { allManagedStores } from '../../src/db/tables/managed-store.ts';
import type { ManagedStoreRow } from '../../src/db/tables/object-store.ts';
import { demandDestination } from '../../src/resources/backups/destination-check.ts';
import { deleteObjectStore } from '../../src/resources/object-stores/deletion.ts';
import { createObjectStore, restoreObjectStore } from '../../src/resources/object-stores/managed-store.ts';
import { TaskWorld } from '../support/task-world.ts';

const PLACE = { project: 'shop', environment: 'production' };

function files(world: TaskWorld): ManagedStoreRow {
  return allManagedStores(world.core.store)[0] ?? assert.fail('there is no store');
}

/** Returns an environment with an object store that was just deleted. */
async function deleted(): Promise<TaskWorld> {
  const world = await TaskWorld.make();
  const { core, ctx } = world;
  const environment = lookUp(core.store, ctx.actor, 'read', 'environment', PLACE);
  await world.ended(createObjectStore(core, ctx, environment, ObjectStoreCreate.parse({ name: 'files' })));
  await deleteObjectStore(core, ctx, files(world), 'files');
  return world;
}

test('an object store stays in the trash if its restore fails, even after its expiry', async () => {
  await using world = await deleted();
  await world.reconcile();
  world.clock = (files(world).expires_at ?? 0) - 10_000;
  const gate = world.engine.controls.pause('createGroup');
  const restore = restoreObjectStore(world.core, world.ctx, files(world));
  await gate.reached;
  world.clock += 86_400_000;
  world.engine.controls.fail('start');
  gate.open();
  assert.equal((await world.ended(restore)).status, 'failed');

  await world.reconcile();

  const { deleted_at, volume } = files(world);
  assert.notEqual(deleted_at, null);
  assert.ok((await world.engine.volumes()).some(({ name }) => name === volume));
});

test('an object store restored during the removal of its container records the new container', async () => {
  await using world = await deleted();
  const gate = world.engine.controls.pause('remove');
  const pass = world.reconcile();
  await gate.reached;

  const { status, error } = await world.ended(restoreObjectStore(world.core, world.ctx, files(world)));
  gate.open();
  await pass;

  assert.deepEqual([status, error], ['succeeded', null]);
  const running = world.engine.controls.containers().filter(({ state }) => state === 'running');
  assert.deepEqual(
    running.map(({ id }) => id),
    [files(world).container_id],
  );
  assert.notEqual(files(world).address, null);
});

test('an object store in the trash is refused as a backup destination', async () => {
  await using world = await deleted();
  const kept = { kind: 'object_store', object_store: 'files', bucket: 'backups', prefix: '' } as const;

  await assert.rejects(demandDestination(world.core, world.ctx, 1, kept), {
    code: 'conflict',
    message: /The object store files does not exist/,
  });
});
