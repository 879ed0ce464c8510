/**
 * Guarantees of the trash for all kinds of resources: the owner after a project was created again, and the clock that
 * ends the retention time.
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
import { refusal } from '../support/core-world.ts';
import { demandNothingLeft, main, TABLES, withDatabase } from '../support/database-world.ts';
import type { TaskWorld } from '../support/task-world.ts';

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

const REFERENCE = 'shop/production/main';

const LINKED: Omit<NewLinkedStore, 'name' | 'project_id'> = {
  ...{ description: '', provider: 'generic', endpoint: 'https://store.invalid', public_endpoint: null, region: 'eu' },
  ...{ path_style: 1, bucket: null, access_key: 'AK', public_only: 0, checked_at: null, created_at: 1, updated_at: 1 },
};

/** Returns the context of an admin of only these projects. */
function adminOf(world: TaskWorld, ...slugs: string[]): OpContext {
  const projects = slugs.map((slug) => projectBySlug(world.core.store, slug)?.id ?? assert.fail(slug));
  return { ...world.ctx, actor: { ...world.ctx.actor, username: 'bea', projects } };
}

/** Returns an environment whose only database is in the trash, and whose project was deleted. */
async function withoutProject(): Promise<{ world: TaskWorld; row: DatabaseRow }> {
  const world = await withDatabase();
  const { core, ctx } = world;
  const backup = await backUpDatabase(core, ctx, main(world), {});
  assert.equal((await world.ended(backup)).error, null);
  deleteDatabase(core, ctx, main(world), 'main');
  await world.reconcile();
  await deleteProject(core, ctx, lookUp(core.store, ctx.actor, 'administer', 'project', { project: 'shop' }));
  return { world, row: trashed(world) };
}

function trashed(world: TaskWorld): DatabaseRow {
  return allDatabases(world.core.store).find(({ deleted_at }) => deleted_at !== null) ?? assert.fail('it is not there');
}

function rowsOf(world: TaskWorld, reference: string): unknown {
  const row = databaseByReference(world.core.store, reference) ?? assert.fail(`there is no ${reference}`);
  return world.engine.controls.rows.get(row.volume);
}

test('a database is restored into a new project with the name of the deleted project', async () => {
  const { world, row } = await withoutProject();
  await using _ = world;
  const { core, ctx } = world;
  createProject(core, ctx, { slug: 'shop' });

  const { status, error, project_id } = await world.ended(restoreDatabase(core, ctx, String(row.id)));

  assert.deepEqual([status, error], ['succeeded', null]);
  assert.deepEqual(rowsOf(world, REFERENCE), TABLES);
  const found = lookUp(core.store, adminOf(world, 'shop').actor, 'administer', 'database', {
    ...{ project: 'shop', environment: 'production', database: 'main' },
  });
  assert.equal(found.project_id, project_id);
  assert.notEqual(found.project_id, row.project_id);
  assert.equal(listBackups(core, adminOf(world, 'shop'), {}).items.length, 1);
  await world.reconcile();
  await demandNothingLeft(world);
});

test('backups of a deleted project stay hidden when their database moves into its namesake', async () => {
  await using world = await withDatabase();
  const { core, ctx } = world;
  createProject(core, ctx, { slug: 'other' });
  await world.ended(await backUpDatabase(core, ctx, main(world), {}));
  const move = async (reference: string, into: string) => {
    const row = databaseByReference(core.store, reference) ?? assert.fail(`there is no ${reference}`);
    deleteDatabase(core, ctx, row, row.name);
    await world.reconcile();
    assert.equal((await world.ended(restoreDatabase(core, ctx, String(row.id), { into }))).error, null);
  };
  await move(REFERENCE, 'other/production/main');
  await deleteProject(core, ctx, lookUp(core.store, ctx.actor, 'administer', 'project', { project: 'shop' }));
  createProject(core, ctx, { slug: 'shop' });

  await move('other/production/main', REFERENCE);

  assert.deepEqual(listBackups(core, adminOf(world, 'shop', 'other'), {}).items, []);
});

test('backups do not follow a database if its restore into a new project fails', async () => {
  const { world, row } = await withoutProject();
  await using _ = world;
  const { core, ctx } = world;
  createProject(core, ctx, { slug: 'shop' });
  world.engine.controls.fail('start', { times: 3 });

  const { status } = await world.ended(restoreDatabase(core, ctx, String(row.id)));

  assert.equal(status, 'failed');
  assert.deepEqual(listBackups(core, adminOf(world, 'shop'), {}).items, []);
});

test('a user of only the new project cannot restore databases of the deleted project', async () => {
  const { world, row } = await withoutProject();
  await using _ = world;
  createProject(world.core, world.ctx, { slug: 'shop' });
  const bea = adminOf(world, 'shop');

  assert.deepEqual(listTrashedDatabases(world.core, bea, {}).items, []);
  assert.throws(() => restoreDatabase(world.core, bea, String(row.id)), refusal('not_found'));
});

test('a database cannot be restored into a project that the user cannot see', async () => {
  await using world = await withDatabase();
  const { core, ctx } = world;
  createProject(core, ctx, { slug: 'other' });
  const bea = adminOf(world, 'shop');
  deleteDatabase(core, ctx, main(world), 'main');

  const into = { into: 'other/production/main' };
  assert.throws(() => restoreDatabase(core, bea, String(trashed(world).id), into), refusal('not_found'));
  assert.notEqual(trashed(world).deleted_at, null);
});

test('a database with a deleted environment can be restored to a chosen location', async () => {
  const { world, row } = await withoutProject();
  await using _ = world;
  const { core, ctx } = world;
  const number = String(row.id);
  assert.throws(() => restoreDatabase(core, ctx, number), refusal('conflict', /Create it, or set “into” to /));

  createProject(core, ctx, { slug: 'other' });
  const { status } = await world.ended(restoreDatabase(core, ctx, number, { into: 'other/production/rescued' }));

  assert.equal(status, 'succeeded');
  assert.deepEqual(rowsOf(world, 'other/production/rescued'), TABLES);
  await world.reconcile();
  await demandNothingLeft(world);
});

test('a database returns to the trash of its project if its restore elsewhere fails', async () => {
  await using world = await withDatabase();
  const { core, ctx } = world;
  createProject(core, ctx, { slug: 'other' });
  await world.ended(await backUpDatabase(core, ctx, main(world), {}));
  deleteDatabase(core, ctx, main(world), 'main');
  await world.reconcile();
  const before = trashed(world);
  world.engine.controls.fail('start', { times: 3 });

  const { status } = await world.ended(restoreDatabase(core, ctx, String(before.id), { into: 'other/production/x' }));

  assert.equal(status, 'failed');
  const { name, project, environment, project_id, environment_id, address } = trashed(world);
  const at = { name, project, environment, project_id, environment_id };
  assert.deepEqual(at, {
    ...{ name: before.name, project: before.project, environment: before.environment },
    ...{ project_id: before.project_id, environment_id: before.environment_id },
  });
  assert.equal(address, null);
  assert.equal(listBackups(core, adminOf(world, 'other'), {}).items.length, 0);
  assert.equal(listBackups(core, adminOf(world, 'shop'), {}).items.length, 1);
});

test('a database restored to another project leaves its backups in the old project', async () => {
  await using world = await withDatabase();
  const { core, ctx } = world;
  const { store } = core;
  const database = main(world).id;
  createProject(core, ctx, { slug: 'other' });
  const shop = adminOf(world, 'shop').actor.projects?.[0] ?? null;
  const archive = { kind: 'object_store', object_store: 'archive', bucket: 'backups', prefix: '' };
  const schedule = (destination: object, pointInTime: 0 | 1 = 0) => {
    const fields = { cron: '0 3 * * *', time_zone: 'UTC', keep: 7, verify_every_days: null, next_at: null };
    const kept = { destination: JSON.stringify(destination), point_in_time: pointInTime };
    store.tx((tx) => putBackupSchedule(tx, database, { ...fields, ...kept }, 1));
  };
  store.tx((tx) => insertLinkedStore(tx, { ...LINKED, name: archive.object_store, project_id: shop }, () => ''));
  await world.ended(await backUpDatabase(core, ctx, main(world), { destination: { kind: 'disk' } }));
  const [backup] = listBackups(core, ctx, {}).items;
  deleteDatabase(core, ctx, main(world), 'main');
  await world.reconcile();
  const into = { into: 'other/production/rescued' };
  for (const tie of [() => schedule(archive), () => schedule({ kind: 'disk' }, 1)]) {
    tie();
    assert.throws(
      () => restoreDatabase(core, ctx, String(database), into),
      refusal('conflict', /then clone it into the other project/),
    );
  }
  schedule({ kind: 'disk' });
  await world.ended(restoreDatabase(core, ctx, String(database), into));

  const bea = adminOf(world, 'other');
  const rescued = databaseByReference(store, 'other/production/rescued') ?? assert.fail('it did not come back');
  assert.deepEqual([listBackups(core, bea, {}).items, listDatabaseBackups(core, bea, rescued, {}).items], [[], []]);
  assert.deepEqual(readBackupSchedule(store, rescued).destination, { kind: 'disk' });
  const seen = JSON.stringify([listBackupCoverage(core, bea, {}), backupWarnings(core, bea.actor.projects)]);
  assert.doesNotMatch(seen, /archive|shop/);

  const paul = adminOf(world, 'shop');
  const row = backupById(store, backup?.id ?? 0) ?? assert.fail('the backup is gone');
  assert.deepEqual(
    listBackups(core, paul, {}).items.map(({ id, database_exists }) => ({ id, database_exists })),
    [{ id: row.id, database_exists: false }],
  );
  await assert.rejects(restoreBackup(core, paul, row, { confirm: 'main' }), refusal('conflict', /was deleted/));
  await assert.rejects(verifyBackup(core, { by: 'paul', via: 'api' }, row), refusal('conflict', /was deleted/));
});

test('a database can be restored into a new environment of the same project', async () => {
  await using world = await withDatabase();
  const { core, ctx } = world;
  const project = lookUp(core.store, ctx.actor, 'administer', 'project', { project: 'shop' });
  createEnvironment(core, ctx, project, { slug: 'staging' });
  deleteDatabase(core, ctx, main(world), 'main');

  const restore = restoreDatabase(core, ctx, String(trashed(world).id), { into: 'shop/staging/main' });

  assert.equal((await world.ended(restore)).status, 'succeeded');
  assert.deepEqual(rowsOf(world, 'shop/staging/main'), TABLES);
});

/** Returns an environment with one resource of each kind in the trash. */
async function filled(): Promise<{ world: TaskWorld; volume: number }> {
  const world = await withDatabase();
  const { core, ctx } = world;
  const environment = lookUp(core.store, ctx.actor, 'read', 'environment', {
    project: 'shop',
    environment: 'production',
  });
  await world.ended(createObjectStore(core, ctx, environment, ObjectStoreCreate.parse({ name: 'files' })));
  createApp(
    core,
    ctx,
    AppCreate.parse({ project: 'shop', name: 'web', source: 'external', image: 'registry.test/acme/web' }),
  );
  const app = lookUp(core.store, ctx.actor, 'administer', 'app', {
    ...{ project: 'shop', environment: 'production', app: 'web' },
  });
  const { id, name } = await addVolume(core, ctx, app, VolumeCreate.parse({ path: '/data' }));
  await world.engine.ensureVolume(name, app.reference);
  deleteDatabase(core, ctx, main(world), 'main');
  await deleteObjectStore(core, ctx, store(world), 'files');
  removeVolume(core, ctx, app, String(id), name);
  return { world, volume: id };
}

function store(world: TaskWorld) {
  return allManagedStores(world.core.store)[0] ?? assert.fail('there is no store');
}

async function look(world: TaskWorld): Promise<void> {
  await world.reconcile();
  await trashTask(world.core).run(new AbortController().signal);
}

function inTrash({ world, volume }: { world: TaskWorld; volume: number }): string[] {
  const { store: db } = world.core;
  return [
    ...allDatabases(db).map(() => 'database'),
    ...allManagedStores(db).map(() => 'store'),
    ...(volumeById(db, volume) === undefined ? [] : ['volume']),
  ];
}

const ALL = ['database', 'store', 'volume'];

test('a clock set a year ahead empties no trash before the real retention ends', async () => {
  const ground = await filled();
  await using world = ground.world;
  await look(world);

  world.setClock(YEAR_MS);
  await look(world);
  assert.deepEqual(inTrash(ground), ALL);
  world.clock += 5 * DAY_MS;
  await look(world);
  assert.deepEqual(inTrash(ground), ALL);
  world.clock += 3 * DAY_MS;
  await look(world);
  assert.deepEqual(inTrash(ground), []);
});

test('trash deleted during a wrong clock keeps its retention after a clock correction', async () => {
  const ground = await filled();
  await using world = ground.world;
  await look(world);
  world.setClock(-YEAR_MS);
  await look(world);
  assert.deepEqual(inTrash(ground), ALL);

  world.setClock(YEAR_MS);
  world.clock += 6 * DAY_MS;
  await look(world);
  assert.deepEqual(inTrash(ground), ALL);
  world.clock += 2 * DAY_MS;
  await look(world);
  assert.deepEqual(inTrash(ground), []);
});

test('a database deleted right after a clock change has seven days of retention', async () => {
  await using world = await withDatabase();
  await look(world);
  world.setClock(YEAR_MS);
  const { core, ctx, clock } = world;

  const { deleted } = deleteDatabase(core, ctx, main(world), 'main');

  const left = Date.parse(deleted?.expires_at ?? '') - clock;
  assert.ok(left > 6.9 * DAY_MS && left < 7.1 * DAY_MS, String(deleted?.expires_at));
});

test('an object store cannot be restored during its permanent deletion', async () => {
  const ground = await filled();
  await using world = ground.world;
  const gate = world.engine.controls.pause('removeVolume');
  const removal = deleteObjectStore(world.core, world.ctx, store(world), 'files');
  await gate.reached;

  assert.throws(
    () => restoreObjectStore(world.core, world.ctx, store(world)),
    refusal('conflict', /The trash retention of files has ended/),
  );
  gate.open();
  await removal;

  assert.deepEqual(allManagedStores(world.core.store), []);
});
