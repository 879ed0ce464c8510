/**
 * The destination of backups is checked with the object store, and recorded only if the store was not replaced during
 * the check.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { BackupSchedulePut, BackupTake, DatabaseCreate, ObjectStoreLink } from '@davit/api';
import { goodBackups } from '../../src/db/tables/backup.ts';
import { backupScheduleOf, putBackupSchedule as putRow } from '../../src/db/tables/backup-schedule.ts';
import { type DatabaseRow, databaseByReference } from '../../src/db/tables/managed-database.ts';
import { storeByName } from '../../src/db/tables/object-store.ts';
import { backUpDatabase } from '../../src/resources/backups/actions.ts';
import { runDueBackups } from '../../src/resources/backups/run-due.ts';
import { putBackupSchedule } from '../../src/resources/backups/schedule.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { deleteObjectStore } from '../../src/resources/object-stores/deletion.ts';
import { linkObjectStore } from '../../src/resources/object-stores/object-store.ts';
import { createProject } from '../../src/resources/projects/project.ts';
import { succeed } from '../support/install-steps.ts';
import { TaskHarness } from '../support/task-harness.ts';

const DESTINATION = { kind: 'object_store', object_store: 'offsite', bucket: 'media' } as const;

/** Creates a database, and an object store that is replaced by another one with the same name during its response. */
async function replaced(harness: TaskHarness, act: () => Promise<unknown>): Promise<void> {
  const { core, ctx } = harness;
  const link = async (endpoint: string) => {
    const location = { provider: 'generic', region: 'eu', endpoint };
    const input = ObjectStoreLink.parse({
      name: 'offsite',
      ...location,
      access_key: 'AKIAEXAMPLE',
      secret_key: 'secret-of-it',
    });
    await linkObjectStore(core, ctx, input, false);
  };
  const server = createServer(async (_, response) => {
    const row = storeByName(core.store, 'offsite');
    if (row !== undefined) await deleteObjectStore(core, ctx, row, row.name);
    await link('https://another.example.com');
    response.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    await link(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await assert.rejects(act(), { code: 'conflict', message: /The object store offsite does not exist/ });
    assert.equal(storeByName(core.store, 'offsite')?.endpoint, 'https://another.example.com');
  } finally {
    server.close();
  }
}

async function database(harness: TaskHarness) {
  const input = { project: 'shop', environment: 'production', name: 'db', engine: 'redis' } as const;
  await succeed(harness, await createDatabase(harness.core, harness.ctx, DatabaseCreate.parse(input)));
  await harness.reconcile();
  const row = databaseByReference(harness.core.store, 'shop/production/db');
  assert.ok(row);
  return row;
}

describe('object store replaced during a check', () => {
  it('is refused as the destination of a backup schedule', async () => {
    await using harness = await TaskHarness.make();
    const row = await database(harness);
    const input = BackupSchedulePut.parse({ cron: '0 1 * * *', destination: DESTINATION });
    await replaced(harness, () => putBackupSchedule(harness.core, harness.ctx, row, input));
    assert.equal(backupScheduleOf(harness.core.store, row.id), undefined);
  });

  it('is refused as the destination of a backup', async () => {
    await using harness = await TaskHarness.make();
    const row = await database(harness);
    const input = BackupTake.parse({ destination: DESTINATION });
    await replaced(harness, () => backUpDatabase(harness.core, harness.ctx, row, input));
  });
});

describe('object store of another project', () => {
  /** Creates a database of one project and an object store of another project. */
  async function createHarness(): Promise<{ world: TaskHarness; row: DatabaseRow }> {
    const made = await TaskHarness.make();
    const { core, ctx } = made;
    createProject(core, ctx, { slug: 'other' });
    const location = { provider: 'generic', region: 'eu', endpoint: 'https://s3.example.com', project: 'other' };
    const keys = { access_key: 'AKIAEXAMPLE', secret_key: 'secret-of-it' };
    await linkObjectStore(core, ctx, ObjectStoreLink.parse({ name: 'offsite', ...location, ...keys }), false);
    return { world: made, row: await database(made) };
  }

  it('is refused as the destination of a backup and a schedule', async () => {
    const { world: made, row } = await createHarness();
    await using _ = made;
    const { core, ctx } = made;
    const refused = { code: 'conflict', message: /belongs to another project/ };

    const schedule = BackupSchedulePut.parse({ cron: '0 1 * * *', destination: DESTINATION });
    await assert.rejects(putBackupSchedule(core, ctx, row, schedule), refused);
    await assert.rejects(backUpDatabase(core, ctx, row, BackupTake.parse({ destination: DESTINATION })), refused);
  });

  it('gets no backup from an existing schedule of the database', async () => {
    const { world: made, row } = await createHarness();
    await using _ = made;
    const { core, ctx } = made;
    const fields = { cron: '0 1 * * *', time_zone: 'UTC', keep: 3, verify_every_days: null, point_in_time: 0 };
    const destination = JSON.stringify({ ...DESTINATION, prefix: '' });
    core.store.tx((tx) => putRow(tx, row.id, { ...fields, destination, next_at: core.now() - 1 }, core.now()));

    await runDueBackups(core);

    assert.match(backupScheduleOf(core.store, row.id)?.missed ?? '', /belongs to another project/);
    await assert.rejects(backUpDatabase(core, ctx, row, BackupTake.parse({})), {
      message: /belongs to another project/,
    });
    assert.deepEqual(goodBackups(core.store, row.id), []);
  });
});
