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
import { refusal } from '../support/core-harness.ts';
import { demandNothingLeft, main, newestBackup, withBackup } from '../support/database-setup.ts';
import { rememberPostgres } from '../support/remembering-postgres.ts';
import { TaskHarness } from '../support/task-harness.ts';

type TaskRequest = (world: TaskHarness) => number | Promise<number>;

const ON_DATABASE: Record<string, TaskRequest> = {
  backup: (harness) => backUpDatabase(harness.core, harness.ctx, main(harness), {}),
  upgrade: (harness) =>
    upgradeDatabase(harness.core, harness.ctx, main(harness), { version: main(harness).version, confirm: 'main' }),
  'restore in place': (harness) =>
    restoreBackup(harness.core, harness.ctx, newestBackup(harness), { in_place: true, confirm: 'main' }),
  restart: (harness) => restartDatabase(harness.core, harness.ctx, main(harness)),
  rotation: (harness) => rotatePassword(harness.core, harness.ctx, main(harness)),
};

const ON_COPY: Record<string, TaskRequest> = {
  verification: (harness) => verifyBackup(harness.core, { by: 'ada', via: 'api' }, newestBackup(harness)),
  clone: (harness) => cloneDatabase(harness.core, harness.ctx, main(harness), { into: 'shop/production/clone' }),
  restore: (harness) =>
    restoreBackup(harness.core, harness.ctx, newestBackup(harness), { into: 'shop/production/again' }),
};

/** Engine calls at which a task is held, in order. */
const MOMENTS = ['ensureVolume', 'createGroup', 'start'] as const;

async function demandClear(harness: TaskHarness, row: TaskRow): Promise<void> {
  assert.deepEqual(openTasks(harness.core.store), []);
  assert.ok(row.status === 'succeeded' || row.status === 'failed' || row.status === 'cancelled', row.status);
  assert.doesNotMatch(row.error ?? '', /An internal error occurred in Davit/, harness.errors.join('\n'));
  await harness.reconcile();
  await demandNothingLeft(harness);
}

function trashed(harness: TaskHarness): DatabaseRow {
  return (
    allDatabases(harness.core.store).find(({ deleted_at }) => deleted_at !== null) ?? assert.fail('it is not there')
  );
}

describe('a database with an open task', () => {
  for (const [what, request] of Object.entries(ON_DATABASE)) {
    test(`refuses other tasks and deletion while the task is open: ${what}`, async () => {
      await using harness = await withBackup();
      const id = await request(harness);

      for (const [other, requestOther] of Object.entries(ON_DATABASE)) {
        const named = new RegExp(`Task ${id} `);
        await assert.rejects(async () => requestOther(harness), refusal('conflict', named), other);
      }
      assert.throws(() => deleteDatabase(harness.core, harness.ctx, main(harness), 'main'), refusal('conflict'));

      await demandClear(harness, await harness.ended(id));
    });
  }
});

describe('a database that moves to the trash', () => {
  for (const [what, request] of Object.entries(ON_COPY)) {
    for (const moment of MOMENTS) {
      test(`leaves no resources of a ${what} that is paused at ${moment}`, async () => {
        await using harness = await withBackup();
        const gate = harness.engine.controls.pause(moment);
        const id = await request(harness);
        await gate.reached;
        deleteDatabase(harness.core, harness.ctx, main(harness), 'main');
        gate.open();

        const row = await harness.ended(id);

        // A task that only reads the backup is not affected.
        assert.equal(row.status === 'succeeded' || what === 'clone', true, String(row.error));
        await demandClear(harness, row);
        assert.notEqual(trashed(harness).expires_at, null);
      });
    }
  }

  test('can be deleted permanently during a backup verification, and the task ends', async () => {
    await using harness = await withBackup();
    const gate = harness.engine.controls.pause('start');
    const id = await verifyBackup(harness.core, { by: 'ada', via: 'api' }, newestBackup(harness));
    await gate.reached;
    deleteDatabase(harness.core, harness.ctx, main(harness), 'main');
    await destroyDatabase(harness.core, harness.ctx, String(trashed(harness).id), 'main');
    gate.open();

    await demandClear(harness, await harness.ended(id));
  });
});

describe('the deletion of a project', () => {
  const project = ({ core, ctx }: TaskHarness) =>
    lookUp(core.store, ctx.actor, 'administer', 'project', { project: 'shop' });

  for (const moment of MOMENTS) {
    test(`leaves no resources of a backup verification that is paused at ${moment}`, async () => {
      await using harness = await withBackup();
      const backup = newestBackup(harness);
      deleteDatabase(harness.core, harness.ctx, main(harness), 'main');
      const gate = harness.engine.controls.pause(moment);
      const id = await verifyBackup(harness.core, { by: 'ada', via: 'api' }, backup);
      await gate.reached;
      const deletion = deleteProject(harness.core, harness.ctx, project(harness));
      gate.open();
      await deletion;

      await demandClear(harness, await harness.ended(id));

      await harness.deploys.removeDeleted();
      assert.deepEqual(await harness.engine.networks(), []);
    });
  }

  test('prevents later verification of its backups and leaves no network', async () => {
    await using harness = await withBackup();
    deleteDatabase(harness.core, harness.ctx, main(harness), 'main');
    await harness.reconcile();
    await deleteProject(harness.core, harness.ctx, project(harness));

    const trial = () => verifyBackup(harness.core, { by: 'ada', via: 'api' }, newestBackup(harness));
    await assert.rejects(trial, refusal('conflict', /or its environment was deleted\. Restore the backup into a new/));
    assert.deepEqual(await harness.engine.networks(), []);
  });

  test('is refused while a restore creates a database in the project', async () => {
    await using harness = await withBackup();
    const gate = harness.engine.controls.pause('createGroup');
    const id = await restoreBackup(harness.core, harness.ctx, newestBackup(harness), { into: 'shop/production/again' });
    await gate.reached;

    await assert.rejects(
      deleteProject(harness.core, harness.ctx, project(harness)),
      refusal('conflict', /has databases/),
    );

    gate.open();
    await demandClear(harness, await harness.ended(id));
  });
});

test('a password rotation succeeds if an attached app is deleted during the rotation', async () => {
  await using harness = await TaskHarness.make();
  await withApp(harness);
  const gate = harness.engine.controls.pause('createGroup');
  const id = rotatePassword(harness.core, harness.ctx, main(harness));
  await gate.reached;
  const app = web(harness);
  const deletion = deleteApp(harness.core, harness.ctx, app);
  gate.open();
  await deletion;

  const { status, error } = await harness.ended(id);

  assert.deepEqual([status, error], ['succeeded', null]);
  assert.equal(main(harness).other_logins, null);
});

const web = ({ core, ctx }: TaskHarness) =>
  lookUp(core.store, ctx.actor, 'administer', 'app', { project: 'shop', environment: 'production', app: 'web' });

async function withApp(harness: TaskHarness): Promise<void> {
  const { core, ctx } = harness;
  rememberPostgres(harness.engine);
  const input = DatabaseCreate.parse({ project: 'shop', name: 'main', engine: 'postgres' });
  await harness.ended(await createDatabase(core, ctx, input));
  createApp(core, ctx, AppCreate.parse({ project: 'shop', name: 'web', source: 'image', image: 'acme/web' }));
  changeAttachment(core, ctx, databaseAttachment(main(harness), 'web', ''));
  const id = await harness.deploys.request(web(harness), {
    tag: 'v1',
    trigger: { kind: 'api', by: 'ada', via: 'api' },
  });
  await harness.deploys.ended(id, patience());
  await harness.look();
}

describe('a restart with a task of a missing database', () => {
  for (const [what, request] of Object.entries({ ...ON_DATABASE, ...ON_COPY })) {
    test(`ends the task without an internal error: ${what}`, async () => {
      await using harness = await withBackup();
      const gate = harness.engine.controls.pause('start');
      const id = await request(harness);
      const before = main(harness);
      harness.core.store.tx((tx) => tx.run('DELETE FROM databases WHERE id = ?', before.id));
      gate.open();
      await harness.crash();

      const row = await harness.ended(id);

      assert.deepEqual(openTasks(harness.core.store), []);
      assert.doesNotMatch(
        row.error ?? '',
        /An internal error occurred in Davit/,
        `${what}: ${harness.errors.join('\n')}`,
      );
    });
  }
});
