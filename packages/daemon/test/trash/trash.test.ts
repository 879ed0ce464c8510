/**
 * Tests the trash for all kinds of resources: their owner after a project was created again, and the clock that
 * determines the end of their retention.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppCreate, ObjectStoreCreate, VolumeCreate } from '@davit/api';
import type { OpContext } from '../../src/auth/context.ts';
import { lookUp } from '../../src/authorization/lookup.ts';
import { backupById } from '../../src/db/tables/backup.ts';
import { putBackupSchedule } from '../../src/db/tables/backup-schedule.ts';
import { allDatabases, type DatabaseRow, databaseByReference } from '../../src/db/tables/managed-database.ts';
import { allManagedStores } from '../../src/db/tables/managed-store.ts';
import { insertLinkedStore, type NewLinkedStore } from '../../src/db/tables/object-store.ts';
import { projectBySlug } from '../../src/db/tables/project.ts';
import { volumeById } from '../../src/db/tables/volume.ts';
import { trashTask } from '../../src/reconcilers/trash.ts';
import { createApp } from '../../src/resources/apps/settings.ts';
import { backUpDatabase, restoreBackup, verifyBackup } from '../../src/resources/backups/actions.ts';
import { listBackups, listDatabaseBackups } from '../../src/resources/backups/backup.ts';
import { backupWarnings, listBackupCoverage } from '../../src/resources/backups/coverage.ts';
import { readBackupSchedule } from '../../src/resources/backups/schedule.ts';
import { deleteDatabase } from '../../src/resources/databases/change.ts';
import { listTrashedDatabases, restoreDatabase } from '../../src/resources/databases/trash.ts';
import { createEnvironment } from '../../src/resources/environments/environment.ts';
import { deleteObjectStore } from '../../src/resources/object-stores/deletion.ts';
import { createObjectStore, restoreObjectStore } from '../../src/resources/object-stores/managed-store.ts';
import { createProject, deleteProject } from '../../src/resources/projects/project.ts';
import { addVolume, removeVolume } from '../../src/resources/volumes/volume.ts';
import { refusal } from '../support/core-harness.ts';
import { demandNothingLeft, main, TABLES, withDatabase } from '../support/database-setup.ts';
import type { TaskHarness } from '../support/task-harness.ts';

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

const REFERENCE = 'shop/production/main';

const LINKED: Omit<NewLinkedStore, 'name' | 'project_id'> = {
  ...{ description: '', provider: 'generic', endpoint: 'https://store.invalid', public_endpoint: null, region: 'eu' },
  ...{ path_style: 1, bucket: null, access_key: 'AK', public_only: 0, checked_at: null, created_at: 1, updated_at: 1 },
};

/** Returns the context of an admin of only these projects. */
function adminOf(harness: TaskHarness, ...slugs: string[]): OpContext {
  const projects = slugs.map((slug) => projectBySlug(harness.core.store, slug)?.id ?? assert.fail(slug));
  return { ...harness.ctx, actor: { ...harness.ctx.actor, username: 'bea', projects } };
}

/** Returns an environment whose only database is in the trash, and whose project was deleted. */
async function withoutProject(): Promise<{ world: TaskHarness; row: DatabaseRow }> {
  const harness = await withDatabase();
  const { core, ctx } = harness;
  const backup = await backUpDatabase(core, ctx, main(harness), {});
  assert.equal((await harness.ended(backup)).error, null);
  deleteDatabase(core, ctx, main(harness), 'main');
  await harness.reconcile();
  await deleteProject(core, ctx, lookUp(core.store, ctx.actor, 'administer', 'project', { project: 'shop' }));
  return { world: harness, row: trashed(harness) };
}

function trashed(harness: TaskHarness): DatabaseRow {
  return (
    allDatabases(harness.core.store).find(({ deleted_at }) => deleted_at !== null) ?? assert.fail('it is not there')
  );
}

function rowsOf(harness: TaskHarness, reference: string): unknown {
  const row = databaseByReference(harness.core.store, reference) ?? assert.fail(`there is no ${reference}`);
  return harness.engine.controls.rows.get(row.volume);
}

test('a database is restored into a new project with the name of the deleted project', async () => {
  const { world: harness, row } = await withoutProject();
  await using _ = harness;
  const { core, ctx } = harness;
  createProject(core, ctx, { slug: 'shop' });

  const { status, error, project_id } = await harness.ended(restoreDatabase(core, ctx, String(row.id)));

  assert.deepEqual([status, error], ['succeeded', null]);
  assert.deepEqual(rowsOf(harness, REFERENCE), TABLES);
  const found = lookUp(core.store, adminOf(harness, 'shop').actor, 'administer', 'database', {
    ...{ project: 'shop', environment: 'production', database: 'main' },
  });
  assert.equal(found.project_id, project_id);
  assert.notEqual(found.project_id, row.project_id);
  assert.equal(listBackups(core, adminOf(harness, 'shop'), {}).items.length, 1);
  await harness.reconcile();
  await demandNothingLeft(harness);
});

test('backups of a deleted project stay hidden when their database moves into its namesake', async () => {
  await using harness = await withDatabase();
  const { core, ctx } = harness;
  createProject(core, ctx, { slug: 'other' });
  await harness.ended(await backUpDatabase(core, ctx, main(harness), {}));
  const move = async (reference: string, into: string) => {
    const row = databaseByReference(core.store, reference) ?? assert.fail(`there is no ${reference}`);
    deleteDatabase(core, ctx, row, row.name);
    await harness.reconcile();
    assert.equal((await harness.ended(restoreDatabase(core, ctx, String(row.id), { into }))).error, null);
  };
  await move(REFERENCE, 'other/production/main');
  await deleteProject(core, ctx, lookUp(core.store, ctx.actor, 'administer', 'project', { project: 'shop' }));
  createProject(core, ctx, { slug: 'shop' });

  await move('other/production/main', REFERENCE);

  assert.deepEqual(listBackups(core, adminOf(harness, 'shop', 'other'), {}).items, []);
});

test('backups do not follow a database if its restore into a new project fails', async () => {
  const { world: harness, row } = await withoutProject();
  await using _ = harness;
  const { core, ctx } = harness;
  createProject(core, ctx, { slug: 'shop' });
  harness.engine.controls.fail('start', { times: 3 });

  const { status } = await harness.ended(restoreDatabase(core, ctx, String(row.id)));

  assert.equal(status, 'failed');
  assert.deepEqual(listBackups(core, adminOf(harness, 'shop'), {}).items, []);
});

test('a user of only the new project cannot restore databases of the deleted project', async () => {
  const { world: harness, row } = await withoutProject();
  await using _ = harness;
  createProject(harness.core, harness.ctx, { slug: 'shop' });
  const bea = adminOf(harness, 'shop');

  assert.deepEqual(listTrashedDatabases(harness.core, bea, {}).items, []);
  assert.throws(() => restoreDatabase(harness.core, bea, String(row.id)), refusal('not_found'));
});

test('a database cannot be restored into a project that the user cannot see', async () => {
  await using harness = await withDatabase();
  const { core, ctx } = harness;
  createProject(core, ctx, { slug: 'other' });
  const bea = adminOf(harness, 'shop');
  deleteDatabase(core, ctx, main(harness), 'main');

  const into = { into: 'other/production/main' };
  assert.throws(() => restoreDatabase(core, bea, String(trashed(harness).id), into), refusal('not_found'));
  assert.notEqual(trashed(harness).deleted_at, null);
});

test('a database with a deleted environment can be restored to a chosen location', async () => {
  const { world: harness, row } = await withoutProject();
  await using _ = harness;
  const { core, ctx } = harness;
  const number = String(row.id);
  assert.throws(() => restoreDatabase(core, ctx, number), refusal('conflict', /Create it, or set “into” to /));

  createProject(core, ctx, { slug: 'other' });
  const { status } = await harness.ended(restoreDatabase(core, ctx, number, { into: 'other/production/rescued' }));

  assert.equal(status, 'succeeded');
  assert.deepEqual(rowsOf(harness, 'other/production/rescued'), TABLES);
  await harness.reconcile();
  await demandNothingLeft(harness);
});

test('a database returns to the trash of its project if its restore elsewhere fails', async () => {
  await using harness = await withDatabase();
  const { core, ctx } = harness;
  createProject(core, ctx, { slug: 'other' });
  await harness.ended(await backUpDatabase(core, ctx, main(harness), {}));
  deleteDatabase(core, ctx, main(harness), 'main');
  await harness.reconcile();
  const before = trashed(harness);
  harness.engine.controls.fail('start', { times: 3 });

  const { status } = await harness.ended(restoreDatabase(core, ctx, String(before.id), { into: 'other/production/x' }));

  assert.equal(status, 'failed');
  const { name, project, environment, project_id, environment_id, address } = trashed(harness);
  const at = { name, project, environment, project_id, environment_id };
  assert.deepEqual(at, {
    ...{ name: before.name, project: before.project, environment: before.environment },
    ...{ project_id: before.project_id, environment_id: before.environment_id },
  });
  assert.equal(address, null);
  assert.equal(listBackups(core, adminOf(harness, 'other'), {}).items.length, 0);
  assert.equal(listBackups(core, adminOf(harness, 'shop'), {}).items.length, 1);
});

test('a database restored to another project leaves its backups in the old project', async () => {
  await using harness = await withDatabase();
  const { core, ctx } = harness;
  const { store } = core;
  const database = main(harness).id;
  createProject(core, ctx, { slug: 'other' });
  const shop = adminOf(harness, 'shop').actor.projects?.[0] ?? null;
  const archive = { kind: 'object_store', object_store: 'archive', bucket: 'backups', prefix: '' };
  const schedule = (destination: object, pointInTime: 0 | 1 = 0) => {
    const fields = { cron: '0 3 * * *', time_zone: 'UTC', keep: 7, verify_every_days: null, next_at: null };
    const kept = { destination: JSON.stringify(destination), point_in_time: pointInTime };
    store.tx((tx) => putBackupSchedule(tx, database, { ...fields, ...kept }, 1));
  };
  store.tx((tx) => insertLinkedStore(tx, { ...LINKED, name: archive.object_store, project_id: shop }, () => ''));
  await harness.ended(await backUpDatabase(core, ctx, main(harness), { destination: { kind: 'disk' } }));
  const [backup] = listBackups(core, ctx, {}).items;
  deleteDatabase(core, ctx, main(harness), 'main');
  await harness.reconcile();
  const into = { into: 'other/production/rescued' };
  for (const tie of [() => schedule(archive), () => schedule({ kind: 'disk' }, 1)]) {
    tie();
    assert.throws(
      () => restoreDatabase(core, ctx, String(database), into),
      refusal('conflict', /then clone it into the other project/),
    );
  }
  schedule({ kind: 'disk' });
  await harness.ended(restoreDatabase(core, ctx, String(database), into));

  const bea = adminOf(harness, 'other');
  const rescued = databaseByReference(store, 'other/production/rescued') ?? assert.fail('it did not come back');
  assert.deepEqual([listBackups(core, bea, {}).items, listDatabaseBackups(core, bea, rescued, {}).items], [[], []]);
  assert.deepEqual(readBackupSchedule(store, rescued).destination, { kind: 'disk' });
  const seen = JSON.stringify([listBackupCoverage(core, bea, {}), backupWarnings(core, bea.actor.projects)]);
  assert.doesNotMatch(seen, /archive|shop/);

  const paul = adminOf(harness, 'shop');
  const row = backupById(store, backup?.id ?? 0) ?? assert.fail('the backup is gone');
  assert.deepEqual(
    listBackups(core, paul, {}).items.map(({ id, database_exists }) => ({ id, database_exists })),
    [{ id: row.id, database_exists: false }],
  );
  await assert.rejects(restoreBackup(core, paul, row, { confirm: 'main' }), refusal('conflict', /was deleted/));
  await assert.rejects(verifyBackup(core, { by: 'paul', via: 'api' }, row), refusal('conflict', /was deleted/));
});

test('a database can be restored into a new environment of the same project', async () => {
  await using harness = await withDatabase();
  const { core, ctx } = harness;
  const project = lookUp(core.store, ctx.actor, 'administer', 'project', { project: 'shop' });
  createEnvironment(core, ctx, project, { slug: 'staging' });
  deleteDatabase(core, ctx, main(harness), 'main');

  const restore = restoreDatabase(core, ctx, String(trashed(harness).id), { into: 'shop/staging/main' });

  assert.equal((await harness.ended(restore)).status, 'succeeded');
  assert.deepEqual(rowsOf(harness, 'shop/staging/main'), TABLES);
});

/** Returns an environment with one resource of each kind in the trash. */
async function filled(): Promise<{ world: TaskHarness; volume: number }> {
  const harness = await withDatabase();
  const { core, ctx } = harness;
  const environment = lookUp(core.store, ctx.actor, 'read', 'environment', {
    project: 'shop',
    environment: 'production',
  });
  await harness.ended(createObjectStore(core, ctx, environment, ObjectStoreCreate.parse({ name: 'files' })));
  createApp(
    core,
    ctx,
    AppCreate.parse({ project: 'shop', name: 'web', source: 'external', image: 'registry.test/acme/web' }),
  );
  const app = lookUp(core.store, ctx.actor, 'administer', 'app', {
    ...{ project: 'shop', environment: 'production', app: 'web' },
  });
  const { id, name } = await addVolume(core, ctx, app, VolumeCreate.parse({ path: '/data' }));
  await harness.engine.ensureVolume(name, app.reference);
  deleteDatabase(core, ctx, main(harness), 'main');
  await deleteObjectStore(core, ctx, store(harness), 'files');
  removeVolume(core, ctx, app, String(id), name);
  return { world: harness, volume: id };
}

function store(harness: TaskHarness) {
  return allManagedStores(harness.core.store)[0] ?? assert.fail('there is no store');
}

async function look(harness: TaskHarness): Promise<void> {
  await harness.reconcile();
  await trashTask(harness.core).run(new AbortController().signal);
}

function inTrash({ world: harness, volume }: { world: TaskHarness; volume: number }): string[] {
  const { store: db } = harness.core;
  return [
    ...allDatabases(db).map(() => 'database'),
    ...allManagedStores(db).map(() => 'store'),
    ...(volumeById(db, volume) === undefined ? [] : ['volume']),
  ];
}

const ALL = ['database', 'store', 'volume'];

test('a clock set a year ahead empties no trash before the real retention ends', async () => {
  const fixture = await filled();
  await using harness = fixture.world;
  await look(harness);

  harness.setClock(YEAR_MS);
  await look(harness);
  assert.deepEqual(inTrash(fixture), ALL);
  harness.clock += 5 * DAY_MS;
  await look(harness);
  assert.deepEqual(inTrash(fixture), ALL);
  harness.clock += 3 * DAY_MS;
  await look(harness);
  assert.deepEqual(inTrash(fixture), []);
});

test('trash deleted during a wrong clock keeps its retention after a clock correction', async () => {
  const fixture = await filled();
  await using harness = fixture.world;
  await look(harness);
  harness.setClock(-YEAR_MS);
  await look(harness);
  assert.deepEqual(inTrash(fixture), ALL);

  harness.setClock(YEAR_MS);
  harness.clock += 6 * DAY_MS;
  await look(harness);
  assert.deepEqual(inTrash(fixture), ALL);
  harness.clock += 2 * DAY_MS;
  await look(harness);
  assert.deepEqual(inTrash(fixture), []);
});

test('a database deleted right after a clock change has seven days of retention', async () => {
  await using harness = await withDatabase();
  await look(harness);
  harness.setClock(YEAR_MS);
  const { core, ctx, clock } = harness;

  const { deleted } = deleteDatabase(core, ctx, main(harness), 'main');

  const left = Date.parse(deleted?.expires_at ?? '') - clock;
  assert.ok(left > 6.9 * DAY_MS && left < 7.1 * DAY_MS, String(deleted?.expires_at));
});

test('an object store cannot be restored during its permanent deletion', async () => {
  const fixture = await filled();
  await using harness = fixture.world;
  const gate = harness.engine.controls.pause('removeVolume');
  const removal = deleteObjectStore(harness.core, harness.ctx, store(harness), 'files');
  await gate.reached;

  assert.throws(
    () => restoreObjectStore(harness.core, harness.ctx, store(harness)),
    refusal('conflict', /The trash retention of files has ended/),
  );
  gate.open();
  await removal;

  assert.deepEqual(allManagedStores(harness.core.store), []);
});
