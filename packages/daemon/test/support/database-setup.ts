/** An environment with a database that contains rows, for tests of operations on databases. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseCreate } from '@davit/api';
import { type BackupRow, listBackups } from '../../src/db/tables/backup.ts';
import { allDatabases, type DatabaseRow, databaseByReference } from '../../src/db/tables/managed-database.ts';
import { backUpDatabase } from '../../src/resources/backups/actions.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { TaskHarness } from './task-harness.ts';

export const TABLES = { 'public.goods': 3, 'public.orders': 7 };

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function main(harness: TaskHarness): DatabaseRow {
  return databaseByReference(harness.core.store, 'shop/production/main') ?? assert.fail('there is no database');
}

/** Returns the environment. Its data directory is removed when the process ends. */
export async function withDatabase(): Promise<TaskHarness> {
  const harness = await TaskHarness.make();
  const dataDir = mkdtempSync(join(tmpdir(), 'davit-database-'));
  folders.push(dataDir);
  Object.defineProperty(harness.core.facts, 'dataDir', { value: dataDir });
  const input = DatabaseCreate.parse({ project: 'shop', name: 'main', engine: 'postgres' });
  const { error } = await harness.ended(await createDatabase(harness.core, harness.ctx, input));
  assert.equal(error, null, harness.errors.join('\n'));
  harness.engine.controls.rows.set(main(harness).volume, TABLES);
  await harness.reconcile();
  return harness;
}

export async function withBackup(): Promise<TaskHarness> {
  const harness = await withDatabase();
  await harness.ended(await backUpDatabase(harness.core, harness.ctx, main(harness), {}));
  return harness;
}

export function newestBackup(harness: TaskHarness): BackupRow {
  const [row] = listBackups(harness.core.store, { projectIds: null, status: 'succeeded' }, 1, null);
  return row ?? assert.fail('there is no backup');
}

/**
 * Checks that no record waits for a task, no volume lacks a record, exactly one container serves, and no data was lost.
 */
export async function demandNothingLeft(harness: TaskHarness): Promise<void> {
  const { store } = harness.core;
  const rows = allDatabases(store);
  const waiting = rows.filter(({ state }) => state !== 'made').map(({ name, state }) => `${name}: ${state}`);
  assert.deepEqual(waiting, []);
  assert.deepEqual(listBackups(store, { projectIds: null, status: 'taking' }, 50, null), []);
  const known = new Set(rows.map(({ volume }) => volume));
  const volumes = (await harness.engine.volumes()).map(({ name }) => name);
  assert.deepEqual(
    volumes.filter((name) => !known.has(name)),
    [],
  );
  const served = rows.filter(({ deleted_at, wanted }) => deleted_at === null && wanted === 'running');
  const running = harness.engine.controls.containers().map(({ id, state }) => `${id} ${state}`);
  assert.deepEqual(running.sort(), served.map(({ container_id }) => `${container_id} running`).sort());
  assert.deepEqual(
    served.map(({ observed }) => observed),
    served.map(() => 'ready'),
  );
}
