/** Databases that the apps of a template or Compose file use through their variables, without an attachment. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppPatch } from '@davit/api';
import { patience } from '@davit/testkit/waiting';
import { type DatabaseRow, databaseById, databaseByReference } from '../../src/db/tables/managed-database.ts';
import { deleteApp, patchApp } from '../../src/resources/apps/settings.ts';
import { deleteDatabase } from '../../src/resources/databases/change.ts';
import { listDatabases } from '../../src/resources/databases/database.ts';
import { destroyDatabase, restoreDatabase } from '../../src/resources/databases/trash.ts';
import { importTemplate } from '../../src/resources/templates/compose-import.ts';
import { appOf } from '../../src/resources/templates/install/apps.ts';
import { patchingVariables } from '../../src/resources/variables/level.ts';
import { changeVariables, ofApp } from '../../src/resources/variables/variables.ts';
import { fail, requestInstall, requestUninstall, requestUpdate, succeed } from '../support/install-steps.ts';
import { TaskHarness } from '../support/task-harness.ts';

const WEB = 'blog/production/web';
const DB = 'blog/production/blog-db';
const COMPOSE = `services:
  web:
    image: acme/web:1
    ports: ["80:80"]
    environment: {DATABASE_URL: "postgres://app:secret@db:5432/app"}
  db:
    image: postgres:16
    environment: {POSTGRES_USER: app, POSTGRES_PASSWORD: secret, POSTGRES_DB: app}
`;
const { template: FILE } = await importTemplate({ compose: COMPOSE, project: 'blog' });
/** Template whose app uses the database only in the text `text`. */
const naming = (text: string) => `version: 1
minVersion: 0.1.0
project: blog
databases: [{key: db, name: blog-db, engine: postgres}]
apps:
  - {key: web, image: acme/web, tag: "1", port: 80, ${text}}
`;

async function installed(file = FILE): Promise<TaskHarness> {
  const harness = await TaskHarness.make();
  await succeed(harness, await requestInstall(harness, file, {}));
  return harness;
}

function rowOf({ core }: TaskHarness): DatabaseRow {
  const row = databaseByReference(core.store, DB);
  assert.ok(row !== undefined);
  return row;
}

const remove = (harness: TaskHarness) => deleteDatabase(harness.core, harness.ctx, rowOf(harness), 'blog-db');
const usersOf = ({ core, ctx }: TaskHarness) => listDatabases(core, ctx, { limit: 10 }).items.map((one) => one.used_by);

/** Sets the app's variable with the address of the database to another value. */
function pointElsewhere({ core, ctx }: TaskHarness): void {
  const patch = { set: { DATABASE_URL: 'none' }, unset: [], secret: [] };
  changeVariables(core, ctx, ofApp(appOf(core, WEB)), patchingVariables(patch));
}

async function deploy(harness: TaskHarness): Promise<void> {
  const trigger = { kind: 'api', by: 'ada', via: 'api' } as const;
  const id = await harness.deploys.request(appOf(harness.core, WEB), { trigger });
  await harness.deploys.ended(id, patience());
}

/** Moves the database to the trash with an app that does not refer to it at this moment. */
async function trashed(harness: TaskHarness): Promise<number> {
  pointElsewhere(harness);
  await deploy(harness);
  return remove(harness).id;
}

describe('a database of a Compose file', () => {
  it('is used by the app whose variables refer to it, and is not deleted', async () => {
    await using harness = await installed();
    assert.deepEqual(usersOf(harness), [[WEB]]);
    assert.throws(() => remove(harness), { code: 'conflict', message: new RegExp(WEB) });
    assert.equal(databaseById(harness.core.store, rowOf(harness).id)?.deleted_at, null);

    await deleteApp(harness.core, harness.ctx, appOf(harness.core, WEB));
    assert.deepEqual(usersOf(harness), [[]]);
    assert.equal(remove(harness).status, 'trash');
  });

  it('stays in use until a deployment replaces the release that refers to it', async () => {
    await using harness = await installed();
    pointElsewhere(harness);
    assert.deepEqual(usersOf(harness), [[WEB]]);
    assert.throws(() => remove(harness), { code: 'conflict', message: new RegExp(WEB) });

    await deploy(harness);
    assert.deepEqual(usersOf(harness), [[]]);
    assert.equal(remove(harness).status, 'trash');
  });

  it('is deleted together with its installation', async () => {
    await using harness = await installed();
    await succeed(harness, await requestUninstall(harness, { keep_data: false, confirm: 'blog/production' }));
    assert.equal(databaseByReference(harness.core.store, DB), undefined);
  });

  it('in the trash is named by an update to the same file, until it is restored', async () => {
    await using harness = await installed();
    const id = await trashed(harness);
    await assert.rejects(requestUpdate(harness, FILE), {
      code: 'conflict',
      message: new RegExp(`${DB} of the installation is in the trash.*ID ${id}`),
    });
    await succeed(harness, restoreDatabase(harness.core, harness.ctx, String(id)));
    await assert.rejects(requestUpdate(harness, FILE), { code: 'already_installed' });
  });

  it('that was deleted permanently is named by an update to the same file', async () => {
    await using harness = await installed();
    await destroyDatabase(harness.core, harness.ctx, String(await trashed(harness)), 'blog-db');
    await assert.rejects(requestUpdate(harness, FILE), { code: 'conflict', message: new RegExp(DB) });
  });
});

describe('an app of a template uses a database', () => {
  const HOST = '$' + '{db.db.host}';
  for (const [where, text] of Object.entries({
    'a variable': `env: {DSN: "host=${HOST} port=5432"}`,
    'a file': `files: [{path: /etc/app.ini, content: "server = ${HOST}"}]`,
    'a command': `args: ["--database", "${HOST}"]`,
  }))
    it(`if the host name is in ${where}`, async () => {
      await using harness = await installed(naming(text));
      assert.deepEqual(usersOf(harness), [[WEB]]);
    });

  it('if the host name is only in a file of the live release', async () => {
    await using harness = await installed(naming(`files: [{path: /etc/app.ini, content: "server = ${HOST}"}]`));
    await patchApp(harness.core, harness.ctx, appOf(harness.core, WEB), AppPatch.parse({ files: [] }));
    assert.deepEqual(usersOf(harness), [[WEB]]);

    await deploy(harness);
    assert.deepEqual(usersOf(harness), [[]]);
  });

  it('and Davit decrypts its texts again only after a change', async (t) => {
    await using harness = await installed(naming(`files: [{path: /etc/app.ini, content: "server = ${HOST}"}]`));
    const { mock } = t.mock.method(harness.core.sealer, 'open');
    assert.deepEqual([usersOf(harness), usersOf(harness), mock.callCount()], [[[WEB]], [[WEB]], 1]);

    pointElsewhere(harness);
    mock.resetCalls();
    assert.deepEqual(usersOf(harness), [[WEB]]);
    assert.notEqual(mock.callCount(), 0);
  });

  it('only until a failed update that created the database is undone', async () => {
    const lines = naming(`env: {DSN: "host=${HOST} port=5432"}`);
    const first = naming('env: {DSN: none}').replace(/^databases:.*\n/m, '');
    await using harness = await installed(first);

    const broken = '  - {key: broken, image: acme/broken, tag: crash, port: 80, depends_on: [web]}\n';
    await fail(harness, await requestUpdate(harness, lines + broken));

    assert.equal(databaseByReference(harness.core.store, DB), undefined);
    assert.deepEqual([appOf(harness.core, WEB).liveRevision !== null, usersOf(harness)], [true, []]);
  });

  it('but not if only a longer host name contains the host name', async () => {
    await using harness = await installed(naming('env: {DSN: "other-blog-db.db.production.blog.internal"}'));
    assert.deepEqual(usersOf(harness), [[]]);
  });
});
