/** Databases that the apps of a template or Compose file use through their variables, without an attachment. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DatabaseRow, databaseById, databaseByReference } from '../../src/db/tables/managed-database.ts';
import { deleteApp } from '../../src/resources/apps/settings.ts';
import { deleteDatabase } from '../../src/resources/databases/change.ts';
import { listDatabases } from '../../src/resources/databases/database.ts';
import { destroyDatabase, restoreDatabase } from '../../src/resources/databases/trash.ts';
import { importTemplate } from '../../src/resources/templates/compose-import.ts';
import { appOf } from '../../src/resources/templates/install/apps.ts';
import { patchingVariables } from '../../src/resources/variables/level.ts';
import { changeVariables, ofApp } from '../../src/resources/variables/variables.ts';
import { requestInstall, requestUninstall, requestUpdate, succeed } from '../support/install-steps.ts';
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

/** Moves the database to the trash with an app that does not refer to it at this moment. */
function trashed(harness: TaskHarness): number {
  const app = ofApp(appOf(harness.core, WEB));
  const set = (value: string) => ({ set: { DATABASE_URL: value }, unset: [], secret: [] });
  changeVariables(harness.core, harness.ctx, app, patchingVariables(set('none')));
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

  it('is deleted together with its installation', async () => {
    await using harness = await installed();
    await succeed(harness, await requestUninstall(harness, { keep_data: false, confirm: 'blog/production' }));
    assert.equal(databaseByReference(harness.core.store, DB), undefined);
  });

  it('in the trash is named by an update to the same file, until it is restored', async () => {
    await using harness = await installed();
    const id = trashed(harness);
    await assert.rejects(requestUpdate(harness, FILE), {
      code: 'conflict',
      message: new RegExp(`${DB} of the installation is in the trash.*ID ${id}`),
    });
    await succeed(harness, restoreDatabase(harness.core, harness.ctx, String(id)));
    await assert.rejects(requestUpdate(harness, FILE), { code: 'already_installed' });
  });

  it('that was deleted permanently is named by an update to the same file', async () => {
    await using harness = await installed();
    await destroyDatabase(harness.core, harness.ctx, String(trashed(harness)), 'blog-db');
    await assert.rejects(requestUpdate(harness, FILE), { code: 'conflict', message: /does not exist any more/ });
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

  it('but not if only a longer host name contains the host name', async () => {
    await using harness = await installed(naming('env: {DSN: "other-blog-db.db.production.blog.internal"}'));
    assert.deepEqual(usersOf(harness), [[]]);
  });
});
