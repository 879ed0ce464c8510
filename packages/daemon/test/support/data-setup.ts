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
import { TaskHarness } from './task-harness.ts';

export const TABLES = { 'public.goods': 3 };

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function database(harness: TaskHarness, name = 'main'): DatabaseRow {
  return databaseByReference(harness.core.store, `shop/production/${name}`) ?? assert.fail(`there is no ${name}`);
}

/** Returns an environment with a database that contains rows. */
export async function made(): Promise<TaskHarness> {
  const harness = await TaskHarness.make();
  const dataDir = mkdtempSync(join(tmpdir(), 'davit-data-safety-'));
  folders.push(dataDir);
  Object.defineProperty(harness.core.facts, 'dataDir', { value: dataDir });
  const input = DatabaseCreate.parse({ project: 'shop', name: 'main', engine: 'postgres' });
  await harness.ended(await createDatabase(harness.core, harness.ctx, input));
  await harness.reconcile();
  harness.engine.controls.rows.set(database(harness).volume, TABLES);
  return harness;
}

export const take = async (harness: TaskHarness) => {
  await harness.ended(await backUpDatabase(harness.core, harness.ctx, database(harness), {}));
  return goodBackups(harness.core.store, database(harness).id)[0] ?? assert.fail('nothing was taken');
};

/** Takes a backup like a schedule. */
export async function takeOnTime(harness: TaskHarness): Promise<BackupRow> {
  const { core } = harness;
  const row = database(harness);
  const id = core.tasks.start((tx) => {
    const options = { origin: 'schedule', destination: { kind: 'disk' }, by: 'davit', via: 'schedule' } as const;
    const { id } = recordBackup(core, tx, row, { ...options, taskId: null });
    const subject = { kind: 'database', name: 'shop/production/main' } as const;
    const input = { backup: id, origin: 'schedule' };
    return { kind: 'backup.take', subject, projectId: row.project_id, input, by: 'davit', via: 'schedule' };
  });
  // Other work in progress is not awaited.
  await harness.tasks.succeeded(id, patience());
  return goodBackups(core.store, row.id)[0] ?? assert.fail('nothing was taken');
}
