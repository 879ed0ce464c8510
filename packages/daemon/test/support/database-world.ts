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
import { TaskWorld } from './task-world.ts';

export const TABLES = { 'public.goods': 3, 'public.orders': 7 };

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function main(world: TaskWorld): DatabaseRow {
  return databaseByReference(world.core.store, 'shop/production/main') ?? assert.fail('there is no database');
}

/** Returns the environment. Its data directory is removed when the process ends. */
export async function withDatabase(): Promise<TaskWorld> {
  const world = await TaskWorld.make();
  const dataDir = mkdtempSync(join(tmpdir(), 'davit-database-world-'));
  folders.push(dataDir);
  Object.defineProperty(world.core.facts, 'dataDir', { value: dataDir });
  const asked = DatabaseCreate.parse({ project: 'shop', name: 'main', engine: 'postgres' });
  const { error } = await world.ended(await createDatabase(world.core, world.ctx, asked));
  assert.equal(error, null, world.errors.join('\n'));
  world.engine.controls.rows.set(main(world).volume, TABLES);
  await world.reconcile();
  return world;
}

export async function withBackup(): Promise<TaskWorld> {
  const world = await withDatabase();
  await world.ended(await backUpDatabase(world.core, world.ctx, main(world), {}));
  return world;
}

export function newestBackup(world: TaskWorld): BackupRow {
  const [row] = listBackups(world.core.store, { projectIds: null, status: 'succeeded' }, 1, null);
  return row ?? assert.fail('there is no backup');
}

/**
 * Checks that no record waits for a task, no volume lacks a record, exactly one container serves, and no data was lost.
 */
export async function demandNothingLeft(world: TaskWorld): Promise<void> {
  const { store } = world.core;
  const rows = allDatabases(store);
  const waiting = rows.filter(({ state }) => state !== 'made').map(({ name, state }) => `${name}: ${state}`);
  assert.deepEqual(waiting, []);
  assert.deepEqual(listBackups(store, { projectIds: null, status: 'taking' }, 50, null), []);
  const known = new Set(rows.map(({ volume }) => volume));
  const volumes = (await world.engine.volumes()).map(({ name }) => name);
  assert.deepEqual(
    volumes.filter((name) => !known.has(name)),
    [],
  );
  const served = rows.filter(({ deleted_at, wanted }) => deleted_at === null && wanted === 'running');
  const running = world.engine.controls.containers().map(({ id, state }) => `${id} ${state}`);
  assert.deepEqual(running.sort(), served.map(({ container_id }) => `${container_id} running`).sort());
  assert.deepEqual(
    served.map(({ observed }) => observed),
    served.map(() => 'ready'),
  );
}
