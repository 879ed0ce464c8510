/** All kinds of backup tasks at every step: run twice, failing, interrupted by a crash, canceled. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BackupSchedulePut } from '@davit/api';
import { nameRecords } from '../../src/app-spec/names.ts';
import { listBackups } from '../../src/db/tables/backup.ts';
import { recordSegment } from '../../src/db/tables/backup-segment.ts';
import { allDatabases } from '../../src/db/tables/managed-database.ts';
import { backUpDatabase, restoreBackup, verifyBackup } from '../../src/resources/backups/actions.ts';
import { cloneDatabase, restoreDatabaseTo, upgradeDatabase } from '../../src/resources/backups/copies.ts';
import { BACKUPS_FOLDER } from '../../src/resources/backups/destinations.ts';
import { putBackupSchedule } from '../../src/resources/backups/schedule.ts';
import { recordBackup } from '../../src/resources/backups/take.ts';
import { main, newestBackup, withDatabase } from '../support/database-setup.ts';
import type { TaskHarness } from '../support/task-harness.ts';
import { taskMatrix } from '../support/task-matrix.ts';

const MAKE = ['image', 'volume', 'container', 'ready', 'set-up'];
const SWITCH = ['switch', 'new-container', 'new-ready', 'new-set-up', 'publish', 'keep-former'];
const take = (harness: TaskHarness) => backUpDatabase(harness.core, harness.ctx, main(harness), {});

/** Returns an environment with a backup and with other rows since the backup. */
async function backedUp(): Promise<TaskHarness> {
  const harness = await withDatabase();
  await harness.ended(await take(harness));
  harness.engine.controls.rows.set(main(harness).volume, { 'public.goods': 1 });
  return harness;
}

/** Returns the content of the visible database, the other records, and the files and containers. */
async function snapshot(harness: TaskHarness): Promise<object> {
  const { store, facts } = harness.core;
  const rowsOf = (volume: string) => harness.engine.controls.rows.get(volume) ?? {};
  const databases = allDatabases(store).map(({ name, state, wanted, observed, version, deleted_at, volume }) => ({
    ...{ name, state, wanted, observed, version, isTrashed: deleted_at !== null, rows: rowsOf(volume) },
  }));
  const names = nameRecords(harness.core).map(({ name }) => name);
  const good = listBackups(store, { projectIds: null, status: 'succeeded' }, 50, null);
  const folder = join(facts.dataDir, BACKUPS_FOLDER);
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true }).filter((name) => /\.[a-z]+$/.test(String(name)))
    : [];
  const volumes = (await harness.engine.volumes()).length;
  const containers = harness.engine.controls.containers().map(({ state }) => state);
  const verified = good.map(({ origin, verified_at, verify_error }) => ({
    origin,
    verify_error,
    verified: verified_at !== null,
  }));
  return { databases, names, good: verified, files: files.length, volumes, containers };
}

taskMatrix('backing a database up', {
  kind: 'backup.take',
  steps: ['write', 'keep'],
  final: ['keep'],
  prepare: withDatabase,
  ask: take,
  snapshot,
});

taskMatrix('trying a backup', {
  kind: 'backup.verify',
  steps: [...MAKE.filter((step) => step !== 'set-up'), 'load', 'compare', 'remove'],
  final: ['remove'],
  prepare: backedUp,
  ask: (harness) => verifyBackup(harness.core, { by: 'ada', via: 'api' }, newestBackup(harness)),
  snapshot,
});

taskMatrix('restoring a backup into a new database', {
  kind: 'backup.restore',
  steps: [...MAKE, 'load', 'compare', 'publish'],
  prepare: backedUp,
  ask: (harness) => restoreBackup(harness.core, harness.ctx, newestBackup(harness), { into: 'shop/production/again' }),
  snapshot,
});

taskMatrix('cloning a database', {
  kind: 'database.clone',
  steps: [...MAKE, 'copy', 'compare', 'publish'],
  prepare: withDatabase,
  ask: (harness) => cloneDatabase(harness.core, harness.ctx, main(harness), { into: 'shop/production/clone' }),
  snapshot,
});

taskMatrix('restoring a backup in place', {
  kind: 'backup.restore-in-place',
  steps: ['back-up', ...MAKE, 'load', 'compare', ...SWITCH],
  final: ['publish', 'keep-former'],
  prepare: backedUp,
  ask: (harness) =>
    restoreBackup(harness.core, harness.ctx, newestBackup(harness), { in_place: true, confirm: 'main' }),
  // The backup of the previous content stays, even if the restore is rolled back.
  snapshot: async (harness) => {
    const { good: _good, files: _files, ...rest } = (await snapshot(harness)) as Record<string, unknown>;
    return rest;
  },
});

taskMatrix('bringing a database to another version', {
  kind: 'database.upgrade',
  steps: [...MAKE, ...['withdraw', 'former-container', 'former-ready', 'copy', 'compare', 'former-end'], ...SWITCH],
  final: ['publish', 'keep-former'],
  prepare: withDatabase,
  ask: (harness) =>
    upgradeDatabase(harness.core, harness.ctx, main(harness), { version: main(harness).version, confirm: 'main' }),
  snapshot,
});

/** Returns an environment with point-in-time recovery. */
async function archiving(): Promise<TaskHarness> {
  const harness = await withDatabase();
  const input = BackupSchedulePut.parse({ cron: '0 3 1 1 *', point_in_time: true });
  await putBackupSchedule(harness.core, harness.ctx, main(harness), input);
  await harness.reconcile();
  return harness;
}

/** Takes a base backup like the log archiving does. */
function takeBase(harness: TaskHarness): number {
  const { core } = harness;
  const row = main(harness);
  return core.tasks.start((tx) => {
    const fields = { origin: 'schedule', kind: 'base', by: 'davit', via: 'schedule', taskId: null } as const;
    const { id } = recordBackup(core, tx, row, { ...fields, destination: { kind: 'disk' } });
    const subject = { kind: 'database', name: 'shop/production/main' } as const;
    return {
      kind: 'backup.base',
      subject,
      projectId: row.project_id,
      input: { backup: id },
      by: 'davit',
      via: 'schedule',
    };
  });
}

/** Returns an environment with a base backup and with later log segments. */
async function withBase(): Promise<TaskHarness> {
  const harness = await archiving();
  await harness.ended(takeBase(harness));
  const { id: database_id, volume } = main(harness);
  const kept = { destination: '{"kind":"disk"}', key: 'none', size_bytes: 0, at: harness.clock + 1_000_000_000 };
  // This segment is older than the base backup, so it is not replayed.
  harness.core.store.tx((tx) =>
    recordSegment(tx, { database_id, name: `${volume}/000000010000000000000001`, ...kept }),
  );
  harness.engine.controls.rows.set(volume, { 'public.goods': 1 });
  return harness;
}

taskMatrix('taking a base for points in time', {
  kind: 'backup.base',
  steps: ['write'],
  final: ['keep'],
  prepare: archiving,
  ask: takeBase,
  snapshot,
});

taskMatrix('restoring a database to a moment', {
  kind: 'backup.restore-to',
  steps: [...MAKE, 'recover', 'compare', 'publish'],
  prepare: withBase,
  ask: (harness) => {
    const input = { at: new Date(harness.clock).toISOString(), into: 'shop/production/before' };
    return restoreDatabaseTo(harness.core, harness.ctx, main(harness), input);
  },
  snapshot,
});
