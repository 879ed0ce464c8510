/** A simulated instance with a database that contains rows, for tests of data safety. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { DatabaseCreate } from '@davit/api';
import { patience } from '@davit/testkit/waiting';
import { type BackupRow, goodBackups } from '../../src/db/tables/backup.ts';
import { type DatabaseRow, databaseByReference } from '../../src/db/tables/managed-database.ts';
import { backUpDatabase } from '../../src/resources/backups/actions.ts';
import { recordBackup } from '../../src/resources/backups/take.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { TaskWorld } from './task-world.ts';

export const TABLES = { 'public.goods': 3 };

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function database(world: TaskWorld, name = 'main'): DatabaseRow {
  return databaseByReference(world.core.store, `shop/production/${name}`) ?? assert.fail(`there is no ${name}`);
}

/** Returns an environment with a database that contains rows. */
export async function made(): Promise<TaskWorld> {
  const world = await TaskWorld.make();
  const dataDir = mkdtempSync(join(tmpdir(), 'davit-data-safety-'));
  folders.push(dataDir);
  Object.defineProperty(world.core.facts, 'dataDir', { value: dataDir });
  const asked = DatabaseCreate.parse({ project: 'shop', name: 'main', engine: 'postgres' });
  await world.ended(await createDatabase(world.core, world.ctx, asked));
  await world.reconcile();
  world.engine.controls.rows.set(database(world).volume, TABLES);
  return world;
}

export const take = async (world: TaskWorld) => {
  await world.ended(await backUpDatabase(world.core, world.ctx, database(world), {}));
  return goodBackups(world.core.store, database(world).id)[0] ?? assert.fail('nothing was taken');
};

/** Takes a backup like a schedule. */
export async function takeOnTime(world: TaskWorld): Promise<BackupRow> {
  const { core } = world;
  const row = database(world);
  const id = core.tasks.start((tx) => {
    const asked = { origin: 'schedule', destination: { kind: 'disk' }, by: 'davit', via: 'schedule' } as const;
    const { id } = recordBackup(core, tx, row, { ...asked, taskId: null });
    const subject = { kind: 'database', name: 'shop/production/main' } as const;
    const input = { backup: id, origin: 'schedule' };
    return { kind: 'backup.take', subject, projectId: row.project_id, input, by: 'davit', via: 'schedule' };
  });
  // Other work in progress is not awaited.
  await world.tasks.succeeded(id, patience());
  return goodBackups(core.store, row.id)[0] ?? assert.fail('nothing was taken');
}
