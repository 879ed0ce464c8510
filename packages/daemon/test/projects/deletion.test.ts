/** Deletion of a project with its contents: the preview, the confirmation, refusals, failures and the trash. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppCreate, DatabaseCreate, deletionPartsOf } from '@davit/api';
import { app, bootDaemon, deployedApp, project } from '@davit/testkit';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { unchecked } from '../../src/db/select.ts';
import { putBackupSchedule } from '../../src/db/tables/backup-schedule.ts';
import { allDatabases } from '../../src/db/tables/managed-database.ts';
import { allManagedStores } from '../../src/db/tables/managed-store.ts';
import { insertLinkedStore, storeByName } from '../../src/db/tables/object-store.ts';
import { projectBySlug } from '../../src/db/tables/project.ts';
import { openTasks } from '../../src/db/tables/task.ts';
import { insertUser, setUserRights } from '../../src/db/tables/user.ts';
import { listVolumes } from '../../src/db/tables/volume.ts';
import { createApp } from '../../src/resources/apps/settings.ts';
import { deleteDatabase } from '../../src/resources/databases/change.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { restoreDatabase } from '../../src/resources/databases/trash.ts';
import { createEnvironment } from '../../src/resources/environments/environment.ts';
import { deleteObjectStore } from '../../src/resources/object-stores/deletion.ts';
import { restoreObjectStore } from '../../src/resources/object-stores/managed-store.ts';
import { deleteProjectWithContents } from '../../src/resources/projects/deletion.ts';
import { createProject } from '../../src/resources/projects/project.ts';
import { listTemplateInstalls } from '../../src/resources/templates/installed.ts';
import { refusal } from '../support/core-harness.ts';
import { main, withBackup } from '../support/database-setup.ts';
import { fail, succeed } from '../support/install-steps.ts';
import { fullProject, preview, requestDeletion, shop } from '../support/project-deletion.ts';
import type { TaskHarness } from '../support/task-harness.ts';

const WORKER = AppCreate.parse({
  ...{ project: 'shop', environment: 'production', name: 'worker', source: 'image', image: 'acme/worker' },
});

const OFFSITE = {
  ...({ name: 'offsite', description: '', provider: 'generic', endpoint: 'https://s3.example.com' } as const),
  ...{ public_endpoint: null, region: 'eu', path_style: 0, bucket: null, access_key: 'key', public_only: 1 },
  ...{ checked_at: null, created_at: 1, updated_at: 1 },
} as const;

/** Links an object store to the project `shop`. */
function link(harness: TaskHarness): void {
  const { id } = shop(harness);
  harness.core.store.tx((tx) => insertLinkedStore(tx, { ...OFFSITE, project_id: id }, () => 'sealed'));
}

/** Starts the deletion, and pauses it while Docker removes the first container. */
async function paused(harness: TaskHarness) {
  const gate = harness.engine.controls.pause('remove');
  const id = requestDeletion(harness);
  await gate.reached;
  return { id, gate };
}

describe('the preview of a project deletion', () => {
  it('names everything in the project', async () => {
    await using harness = await fullProject();
    const { core, ctx } = harness;
    const { id } = shop(harness);
    core.store.tx((tx) =>
      insertUser(tx, { username: 'bea', passwordHash: '', role: 'member', projects: [id], at: core.now() }),
    );

    const { checksum, trash_days, apps, template_installs, ...rest } = preview({ core, ctx });

    assert.match(checksum, /^[0-9a-f]{64}$/);
    const { databases, volumes } = core.settings();
    assert.deepEqual(trash_days, { databases: databases.trash_days, volumes: volumes.trash_days });
    assert.deepEqual(
      apps.map(({ tcp_ports, ...one }) => ({ ...one, ports: tcp_ports.length })),
      [
        {
          ...{ reference: 'shop/production/web', domains: ['shop.example.com'] },
          ...{ volumes: ['/data'], schedules: 1, ports: 1 },
        },
      ],
    );
    assert.equal(template_installs.length, 1);
    assert.ok(rest.variables >= 1);
    assert.deepEqual(
      { ...rest, variables: 1 },
      {
        ...{ project: 'shop', environments: ['production'], unused_volumes: [], registries: [] },
        ...{ object_stores: [{ name: 'files', outcome: 'trash' }], variables: 1, has_quota: true },
        ...{ databases: [{ reference: 'shop/production/db', engine: 'redis', backups: 0 }] },
        ...{ kept_backups: [], members: ['bea'], problems: [] },
      },
    );
  });

  it('lists the backups of databases that are in the trash or no longer exist', async () => {
    await using harness = await withBackup();
    const { core, ctx } = harness;
    const kept = () => deletionPartsOf(preview(harness)).find(({ title }) => title === 'Will be kept:')?.lines;
    assert.deepEqual(kept(), ['1 backup of shop/production/main']);

    deleteDatabase(core, ctx, main(harness), 'main');
    assert.deepEqual(preview(harness).databases, []);
    assert.deepEqual(kept(), ['1 backup of shop/production/main']);

    core.store.tx((tx) => tx.run('UPDATE backups SET database_id = 0'));
    assert.deepEqual(kept(), ['1 backup of shop/production/main']);
  });

  it('has the same checksum until the contents change', async () => {
    await using harness = await fullProject();
    const { checksum } = preview(harness);
    assert.equal(preview(harness).checksum, checksum);

    createEnvironment(harness.core, harness.ctx, shop(harness), { slug: 'beta' });

    assert.notEqual(preview(harness).checksum, checksum);
  });
});

describe('a project deletion', () => {
  it('deletes everything and keeps the data in the trash', async () => {
    await using harness = await fullProject();
    const { core, ctx } = harness;

    await succeed(harness, requestDeletion(harness));

    assert.equal(projectBySlug(core.store, 'shop'), undefined);
    assert.deepEqual(harness.engine.controls.containers(), []);
    assert.ok(allDatabases(core.store).every(({ deleted_at }) => deleted_at !== null));
    assert.ok(allManagedStores(core.store).every(({ deleted_at }) => deleted_at !== null));
    assert.deepEqual(
      listVolumes(core.store, null).map(({ state }) => state),
      ['trash'],
    );
    assert.deepEqual(
      listTemplateInstalls(core, ctx, {}).items.map(({ status, resources }) => [status, resources]),
      [['uninstalled', []]],
    );
  });

  it('is refused without the name of the project, and changes nothing', async () => {
    await using harness = await fullProject();
    const { core, ctx } = harness;
    const { checksum } = preview(harness);

    assert.throws(
      () => deleteProjectWithContents(core, ctx, shop(harness), { confirm: 'other', checksum }),
      refusal('invalid_input', /confirm/),
    );
    assert.deepEqual(openTasks(core.store), []);
  });

  it('is refused if the contents have changed since the preview', async () => {
    await using harness = await fullProject();
    const { core, ctx } = harness;
    const { checksum } = preview(harness);
    createApp(core, ctx, WORKER);

    assert.throws(() => requestDeletion(harness, checksum), refusal('conflict', /have changed since the preview/));

    assert.deepEqual(openTasks(core.store), []);
  });

  it('is refused while a task works in the project', async () => {
    await using harness = await fullProject();
    const { core, ctx } = harness;
    const gate = harness.engine.controls.pause('ensureVolume');
    const input = DatabaseCreate.parse({ project: 'shop', name: 'late', engine: 'redis' });
    const id = await createDatabase(core, ctx, input);
    await gate.reached;

    assert.throws(() => requestDeletion(harness), refusal('conflict', /Task \d+ \(database\.create\) of the database/));

    gate.open();
    await succeed(harness, id);
  });

  it('prevents the creation of resources until it has ended', async () => {
    await using harness = await fullProject();
    const { core, ctx } = harness;
    const { id, gate } = await paused(harness);
    const refused = refusal('conflict', /is deleting the project shop/);
    const input = DatabaseCreate.parse({ project: 'shop', name: 'late', engine: 'redis' });

    assert.throws(() => createApp(core, ctx, WORKER), refused);
    assert.throws(() => createEnvironment(core, ctx, shop(harness), { slug: 'beta' }), refused);
    await assert.rejects(createDatabase(core, ctx, input), refused);
    assert.throws(() => requestDeletion(harness), refusal('conflict'));

    gate.open();
    await succeed(harness, id);
    createProject(core, ctx, { slug: 'shop' });
    createApp(core, ctx, WORKER);
  });

  it('leaves the rest of the project after a failure, and can be repeated', async () => {
    await using harness = await fullProject();
    harness.engine.controls.fail('remove', { error: new EngineRefused('remove container: it is in use') });

    assert.match(await fail(harness, requestDeletion(harness)), /in use/);
    assert.notEqual(projectBySlug(harness.core.store, 'shop'), undefined);

    await succeed(harness, requestDeletion(harness));
    assert.equal(projectBySlug(harness.core.store, 'shop'), undefined);
  });

  it('stops before its next step if its user loses the permission', async () => {
    await using harness = await fullProject();
    const { core } = harness;
    const { id, gate } = await paused(harness);
    core.store.tx((tx) => setUserRights(tx, harness.ctx.actor.userId ?? 0, 'viewer', null, core.now()));
    gate.open();

    assert.match(await fail(harness, id), /is not allowed to delete the project any more/);
    assert.notEqual(projectBySlug(core.store, 'shop'), undefined);
    assert.ok(allDatabases(core.store).every(({ deleted_at }) => deleted_at === null));
  });

  it('keeps backups, and their database can be restored into a new project', async () => {
    await using harness = await withBackup();
    const { core, ctx } = harness;
    assert.deepEqual(
      preview(harness).databases.map(({ backups }) => backups),
      [1],
    );
    const { id } = main(harness);
    await succeed(harness, requestDeletion(harness));
    createProject(core, ctx, { slug: 'shop' });

    await succeed(harness, restoreDatabase(core, ctx, String(id)));
  });
});

describe('an object store of a deleted project', () => {
  const files = ({ core }: TaskHarness) => allManagedStores(core.store)[0] ?? assert.fail('there is no object store');

  it('is restored into a new project with the same names', async () => {
    await using harness = await fullProject();
    const { core, ctx } = harness;
    await succeed(harness, requestDeletion(harness));
    await harness.reconcile();
    const restore = () => restoreObjectStore(core, ctx, files(harness));
    assert.throws(restore, refusal('conflict', /does not exist any more\. Create it/));
    createProject(core, ctx, { slug: 'shop' });

    await succeed(harness, restore());

    assert.equal(files(harness).project_id, shop(harness).id);
    await harness.deploys.removeDeleted();
    assert.equal(core.store.all(unchecked('SELECT id FROM projects')).length, 1);
  });

  it('keeps the records of the project until Davit deletes it permanently', async () => {
    await using harness = await fullProject();
    const { core, ctx } = harness;
    await succeed(harness, requestDeletion(harness));
    await harness.deploys.removeDeleted();
    assert.equal(core.store.all(unchecked('SELECT id FROM environments')).length, 1);

    await deleteObjectStore(core, ctx, files(harness), 'files');
    await harness.deploys.removeDeleted();

    assert.deepEqual(core.store.all(unchecked('SELECT id FROM projects')), []);
    assert.deepEqual(await harness.engine.networks(), []);
  });

  it('is unlinked if Davit does not run it', async () => {
    await using harness = await fullProject();
    link(harness);
    assert.deepEqual(
      preview(harness).object_stores.map(({ outcome }) => outcome),
      ['trash', 'unlinked'],
    );

    await succeed(harness, requestDeletion(harness));

    assert.equal(storeByName(harness.core.store, 'offsite'), undefined);
  });

  it('stays linked if it contains backups', async () => {
    await using harness = await withBackup();
    link(harness);
    const destination = JSON.stringify({ kind: 'object_store', object_store: 'offsite', bucket: 'b', prefix: '' });
    harness.core.store.tx((tx) => tx.run('UPDATE backups SET destination = ?', destination));
    assert.deepEqual(preview(harness).object_stores, [{ name: 'offsite', outcome: 'kept' }]);

    await succeed(harness, requestDeletion(harness));

    assert.equal(storeByName(harness.core.store, 'offsite')?.project, 'shop');
  });

  it('prevents the deletion if Davit runs it and it contains backups', async () => {
    await using harness = await fullProject();
    const { store } = harness.core;
    const [database] = allDatabases(store);
    const destination = JSON.stringify({ kind: 'object_store', object_store: 'files', bucket: 'b', prefix: '' });
    const nightly = { cron: '0 3 * * *', time_zone: 'UTC', keep: 7, verify_every_days: null, next_at: null };
    store.tx((tx) =>
      putBackupSchedule(tx, database?.id ?? 0, { ...nightly, destination, point_in_time: 0 }, harness.core.now()),
    );

    assert.throws(() => requestDeletion(harness), refusal('conflict', /Backup schedules write to files/));
  });
});

describe('the API of a project deletion', () => {
  it('deletes the project that the preview shows, with the name as confirmation', async () => {
    await using daemon = await bootDaemon();
    const name = await project(daemon);
    const { reference } = await app(daemon, { project: name });
    const path = `/api/projects/${name}/deletion`;
    const seen = JSON.parse((await daemon.call('GET', path)).text) as { checksum: string };
    const body = { confirm: name, checksum: seen.checksum };
    assert.equal((await daemon.call('POST', path, { ...body, confirm: 'other' })).status, 400);
    assert.equal((await daemon.call('POST', path, { ...body, checksum: 'other' })).status, 409);

    const { status, text } = await daemon.call('POST', `${path}?wait=true`, body);

    assert.equal(status, 200, text);
    assert.equal(JSON.parse(text).status, 'succeeded', text);
    assert.equal((await daemon.call('GET', `/api/apps/${reference}`)).status, 404);
    assert.equal((await daemon.call('GET', `/api/projects/${name}`)).status, 404);
  });

  it('refuses changes in the project during the deletion', async () => {
    await using daemon = await bootDaemon();
    const name = (await deployedApp(daemon)).app.project;
    const path = `/api/projects/${name}/deletion`;
    const { checksum } = JSON.parse((await daemon.call('GET', path)).text) as { checksum: string };
    const gate = daemon.engine.controls.pause('remove');
    const begun = await daemon.call('POST', path, { confirm: name, checksum });
    assert.equal(begun.status, 202, begun.text);
    await gate.reached;

    const refused = [
      await daemon.call('PATCH', `/api/projects/${name}/env`, { set: { A: '1' } }),
      await daemon.call('POST', `/api/projects/${name}/environments`, { slug: 'beta' }),
      await daemon.call('DELETE', `/api/projects/${name}`),
    ];

    for (const { status, text } of refused) assert.match(`${status} ${text}`, /^409 .*is deleting the project/s);
    gate.open();
    await daemon.settled();
    assert.equal((await daemon.call('GET', `/api/projects/${name}`)).status, 404);
  });
});
