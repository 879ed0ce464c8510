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
import { TaskHarness } from '../support/task-harness.ts';

const ENVIRONMENT = { project: 'shop', environment: 'production' };

function files(harness: TaskHarness): ManagedStoreRow {
  return allManagedStores(harness.core.store)[0] ?? assert.fail('there is no store');
}

/** Returns an environment with an object store that was just deleted. */
async function deleted(): Promise<TaskHarness> {
  const harness = await TaskHarness.make();
  const { core, ctx } = harness;
  const environment = lookUp(core.store, ctx.actor, 'read', 'environment', ENVIRONMENT);
  await harness.ended(createObjectStore(core, ctx, environment, ObjectStoreCreate.parse({ name: 'files' })));
  await deleteObjectStore(core, ctx, files(harness), 'files');
  return harness;
}

test('an object store stays in the trash if its restore fails, even after its expiry', async () => {
  await using harness = await deleted();
  await harness.reconcile();
  harness.clock = (files(harness).expires_at ?? 0) - 10_000;
  const gate = harness.engine.controls.pause('createGroup');
  const restore = restoreObjectStore(harness.core, harness.ctx, files(harness));
  await gate.reached;
  harness.clock += 86_400_000;
  harness.engine.controls.fail('start');
  gate.open();
  assert.equal((await harness.ended(restore)).status, 'failed');

  await harness.reconcile();

  const { deleted_at, volume } = files(harness);
  assert.notEqual(deleted_at, null);
  assert.ok((await harness.engine.volumes()).some(({ name }) => name === volume));
});

test('an object store restored during the removal of its container records the new container', async () => {
  await using harness = await deleted();
  const gate = harness.engine.controls.pause('remove');
  const pass = harness.reconcile();
  await gate.reached;

  const { status, error } = await harness.ended(restoreObjectStore(harness.core, harness.ctx, files(harness)));
  gate.open();
  await pass;

  assert.deepEqual([status, error], ['succeeded', null]);
  const running = harness.engine.controls.containers().filter(({ state }) => state === 'running');
  assert.deepEqual(
    running.map(({ id }) => id),
    [files(harness).container_id],
  );
  assert.notEqual(files(harness).address, null);
});

test('an object store in the trash is refused as a backup destination', async () => {
  await using harness = await deleted();
  const kept = { kind: 'object_store', object_store: 'files', bucket: 'backups', prefix: '' } as const;

  await assert.rejects(demandDestination(harness.core, harness.ctx, 1, kept), {
    code: 'conflict',
    message: /The object store files does not exist/,
  });
});
