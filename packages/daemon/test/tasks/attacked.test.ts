/**
 * Actions of users during tasks, and restarts of the daemon: each task ends with a reason and leaves nothing behind.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AppCreate, DatabaseCreate } from '@davit/api';
import { patience } from '@davit/testkit/waiting';
import { lookUp } from '../../src/authorization/lookup.ts';
import { allDatabases, type DatabaseRow } from '../../src/db/tables/managed-database.ts';
import { openTasks, type TaskRow } from '../../src/db/tables/task.ts';
import { createApp, deleteApp } from '../../src/resources/apps/settings.ts';
import { changeAttachment } from '../../src/resources/attachments/attachment.ts';
import { databaseAttachment } from '../../src/resources/attachments/targets.ts';
import { backUpDatabase, restoreBackup, verifyBackup } from '../../src/resources/backups/actions.ts';
import { cloneDatabase, upgradeDatabase } from '../../src/resources/backups/copies.ts';
import { deleteDatabase, restartDatabase } from '../../src/resources/databases/change.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { rotatePassword } from '../../src/resources/databases/login.ts';
import { destroyDatabase } from '../../src/resources/databases/trash.ts';
import { deleteProject } from '../../src/resources/projects/project.ts';
import { refusal } from '../support/core-world.ts';
import { demandNothingLeft, main, newestBackup, withBackup } from '../support/database-world.ts';
import { rememberPostgres } from '../support/remembering-postgres.ts';
import { TaskWorld } from '../support/task-world.ts';

type Ask = (world: TaskWorld) => number | Promise<number>;

const ON_DATABASE: Record<string, Ask> = {
  backup: (world) => backUpDatabase(world.core, world.ctx, main(world), {}),
  upgrade: (world) =>
    upgradeDatabase(world.core, world.ctx, main(world), { version: main(world).version, confirm: 'main' }),
  'restore in place': (world) =>
    restoreBackup(world.core, world.ctx, newestBackup(world), { in_place: true, confirm: 'main' }),
  restart: (world) => restartDatabase(world.core, world.ctx, main(world)),
  rotation: (world) => rotatePassword(world.core, world.ctx, main(world)),
};

const BESIDE: Record<string, Ask> = {
  trial: (world) => verifyBackup(world.core, { by: 'ada', via: 'api' }, newestBackup(world)),
  clone: (world) => cloneDatabase(world.core, world.ctx, main(world), { into: 'shop/production/clone' }),
  restore: (world) => restoreBackup(world.core, world.ctx, newestBackup(world), { into: 'shop/production/again' }),
};

/** Engine calls at which a task is held, in order. */
const MOMENTS = ['ensureVolume', 'createGroup', 'start'] as const;

async function demandClear(world: TaskWorld, row: TaskRow): Promise<void> {
  assert.deepEqual(openTasks(world.core.store), []);
  assert.ok(row.status === 'succeeded' || row.status === 'failed' || row.status === 'cancelled', row.status);
  assert.doesNotMatch(row.error ?? '', /An internal error occurred in Davit/, world.errors.join('\n'));
  await world.reconcile();
  await demandNothingLeft(world);
}

function trashed(world: TaskWorld): DatabaseRow {
  return allDatabases(world.core.store).find(({ deleted_at }) => deleted_at !== null) ?? assert.fail('it is not there');
}

describe('a database with an open task', () => {
  for (const [what, ask] of Object.entries(ON_DATABASE)) {
    test(`refuses other tasks and deletion while the task is open: ${what}`, async () => {
      await using world = await withBackup();
      const id = await ask(world);

      for (const [other, askOther] of Object.entries(ON_DATABASE)) {
        const named = new RegExp(`Task ${id} `);
        await assert.rejects(async () => askOther(world), refusal('conflict', named), other);
      }
      assert.throws(() => deleteDatabase(world.core, world.ctx, main(world), 'main'), refusal('conflict'));

      await demandClear(world, await world.ended(id));
    });
  }
});

describe('a database that moves to the trash', () => {
  for (const [what, ask] of Object.entries(BESIDE)) {
    for (const moment of MOMENTS) {
      test(`leaves no resources of a ${what} that is paused at ${moment}`, async () => {
        await using world = await withBackup();
        const gate = world.engine.controls.pause(moment);
        const id = await ask(world);
        await gate.reached;
        deleteDatabase(world.core, world.ctx, main(world), 'main');
        gate.open();

        const row = await world.ended(id);

        // A task that only reads the backup is not affected.
        assert.equal(row.status === 'succeeded' || what === 'clone', true, String(row.error));
        await demandClear(world, row);
        assert.notEqual(trashed(world).expires_at, null);
      });
    }
  }

  test('can be deleted permanently during a backup verification, and the task ends', async () => {
    await using world = await withBackup();
    const gate = world.engine.controls.pause('start');
    const id = await verifyBackup(world.core, { by: 'ada', via: 'api' }, newestBackup(world));
    await gate.reached;
    deleteDatabase(world.core, world.ctx, main(world), 'main');
    await destroyDatabase(world.core, world.ctx, String(trashed(world).id), 'main');
    gate.open();

    await demandClear(world, await world.ended(id));
  });
});

describe('the deletion of a project', () => {
  const project = ({ core, ctx }: TaskWorld) =>
    lookUp(core.store, ctx.actor, 'administer', 'project', { project: 'shop' });

  for (const moment of MOMENTS) {
    test(`leaves no resources of a backup verification that is paused at ${moment}`, async () => {
      await using world = await withBackup();
      const backup = newestBackup(world);
      deleteDatabase(world.core, world.ctx, main(world), 'main');
      const gate = world.engine.controls.pause(moment);
      const id = await verifyBackup(world.core, { by: 'ada', via: 'api' }, backup);
      await gate.reached;
      const deletion = deleteProject(world.core, world.ctx, project(world));
      gate.open();
      await deletion;

      await demandClear(world, await world.ended(id));

      await world.deploys.removeDeleted();
      assert.deepEqual(await world.engine.networks(), []);
    });
  }

  test('prevents later verification of its backups and leaves no network', async () => {
    await using world = await withBackup();
    deleteDatabase(world.core, world.ctx, main(world), 'main');
    await world.reconcile();
    await deleteProject(world.core, world.ctx, project(world));

    const trial = () => verifyBackup(world.core, { by: 'ada', via: 'api' }, newestBackup(world));
    await assert.rejects(trial, refusal('conflict', /or its environment was deleted\. Restore the backup into a new/));
    assert.deepEqual(await world.engine.networks(), []);
  });

  test('is refused while a restore creates a database in the project', async () => {
    await using world = await withBackup();
    const gate = world.engine.controls.pause('createGroup');
    const id = await restoreBackup(world.core, world.ctx, newestBackup(world), { into: 'shop/production/again' });
    await gate.reached;

    await assert.rejects(deleteProject(world.core, world.ctx, project(world)), refusal('conflict', /has databases/));

    gate.open();
    await demandClear(world, await world.ended(id));
  });
});

test('a password rotation succeeds if an attached app is deleted during the rotation', async () => {
  await using world = await TaskWorld.make();
  await withApp(world);
  const gate = world.engine.controls.pause('createGroup');
  const id = rotatePassword(world.core, world.ctx, main(world));
  await gate.reached;
  const app = web(world);
  const deletion = deleteApp(world.core, world.ctx, app);
  gate.open();
  await deletion;

  const { status, error } = await world.ended(id);

  assert.deepEqual([status, error], ['succeeded', null]);
  assert.equal(main(world).other_logins, null);
});

const web = ({ core, ctx }: TaskWorld) =>
  lookUp(core.store, ctx.actor, 'administer', 'app', { project: 'shop', environment: 'production', app: 'web' });

async function withApp(world: TaskWorld): Promise<void> {
  const { core, ctx } = world;
  rememberPostgres(world.engine);
  const asked = DatabaseCreate.parse({ project: 'shop', name: 'main', engine: 'postgres' });
  await world.ended(await createDatabase(core, ctx, asked));
  createApp(core, ctx, AppCreate.parse({ project: 'shop', name: 'web', source: 'image', image: 'acme/web' }));
  changeAttachment(core, ctx, databaseAttachment(main(world), 'web', ''));
  const id = await world.deploys.request(web(world), { tag: 'v1', trigger: { kind: 'api', by: 'ada', via: 'api' } });
  await world.deploys.ended(id, patience());
  await world.look();
}

describe('a restart with a task of a missing database', () => {
  for (const [what, ask] of Object.entries({ ...ON_DATABASE, ...BESIDE })) {
    test(`ends the task without an internal error: ${what}`, async () => {
      await using world = await withBackup();
      const gate = world.engine.controls.pause('start');
      const id = await ask(world);
      const before = main(world);
      world.core.store.tx((tx) => tx.run('DELETE FROM databases WHERE id = ?', before.id));
      gate.open();
      await world.crash();

      const row = await world.ended(id);

      assert.deepEqual(openTasks(world.core.store), []);
      assert.doesNotMatch(
        row.error ?? '',
        /An internal error occurred in Davit/,
        `${what}: ${world.errors.join('\n')}`,
      );
    });
  }
});
