/** Attachments of an app: their variables, the users who see them, and the effect of changes. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { App, Database, Deployment, DeployPlan, RestoredRevision } from '@davit/api';
import {
  bootDaemon,
  database,
  databaseParams,
  deployedApp,
  app as newApp,
  paramsOf,
  project,
  user,
} from '@davit/testkit';

describe('attached database', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const { client } = daemon;

  /** Creates an app and a database in the same project. */
  async function pair({ deployed = false } = {}): Promise<{ app: App; db: Database; at: ReturnType<typeof paramsIn> }> {
    const inProject = await project(daemon);
    const settings = { project: inProject };
    const app = deployed ? (await deployedApp(daemon, settings)).app : await newApp(daemon, settings);
    const db = await database(daemon, settings);
    return { app, db, at: paramsIn(app, db) };
  }

  const paramsIn = (app: App, db: Database) => ({ ...databaseParams(db), app: app.name });
  const effective = async (app: App, key = daemon.key) =>
    (await daemon.clientFor(key).getAppEnv({ params: paramsOf(app) })).effective;

  it('provides variables with priority between the environment and the app', async () => {
    const { app, db, at } = await pair();
    const params = paramsOf(app);
    await client.setEnvironmentEnv({ params, body: { set: { DATABASE_HOST: 'wide', OTHER: 'wide' } } });
    await client.setAppEnv({ params, body: { set: { DATABASE_PORT: '1' } } });

    const record = (await client.attachDatabase({ params: at, body: {} })) as Database;

    assert.deepEqual(record.attachments, [{ app: app.reference, prefix: '' }]);
    const { password, url, host, username } = await client.getDatabaseCredentials({ params: databaseParams(db) });
    assert.deepEqual(await effective(app), [
      { key: 'DATABASE_HOST', value: host, source: 'attachment', secret: false },
      { key: 'DATABASE_NAME', value: db.database, source: 'attachment', secret: false },
      { key: 'DATABASE_PASSWORD', value: password, source: 'attachment', secret: true },
      { key: 'DATABASE_PORT', value: '1', source: 'app', secret: false },
      { key: 'DATABASE_URL', value: url, source: 'attachment', secret: true },
      { key: 'DATABASE_USER', value: username, source: 'attachment', secret: false },
      { key: 'OTHER', value: 'wide', source: 'environment', secret: false },
    ]);
    const [attachment] = (await client.getApp({ params })).attachments;
    assert.equal(attachment?.name, db.reference);
    assert.deepEqual(attachment?.variables.slice(0, 2), ['DATABASE_URL', 'DATABASE_HOST']);
  });

  it('changes the variables of the next release, not of running replicas', async () => {
    const { app, db, at } = await pair({ deployed: true });
    const { password } = await client.getDatabaseCredentials({ params: databaseParams(db) });

    await client.attachDatabase({ params: at, body: { prefix: 'MAIN_' } });

    assert.equal((await client.getApp({ params: paramsOf(app) })).pending_changes, true);
    assert.equal(environmentOf(app).MAIN_DATABASE_PASSWORD, undefined);
    await client.deployApp({ params: paramsOf(app), query: { wait: 'true' }, body: {} });
    assert.equal(environmentOf(app).MAIN_DATABASE_PASSWORD, password);
    assert.equal((await client.getApp({ params: paramsOf(app) })).pending_changes, false);
  });

  function environmentOf({ reference }: App): Record<string, string> {
    const running = daemon.engine.controls
      .containers()
      .filter((one) => one.app === reference && one.state === 'running');
    return running.toSorted((a, b) => (a.deployment ?? 0) - (b.deployment ?? 0)).at(-1)?.env ?? {};
  }

  it('can be planned, deployed immediately, and detached', async () => {
    const { app, at } = await pair({ deployed: true });

    const plan = (await client.attachDatabase({ params: at, query: { dry_run: 'true' }, body: {} })) as DeployPlan;
    assert.match(plan.changes.join('\n'), /Added variables: .*DATABASE_URL/);
    assert.deepEqual((await client.getApp({ params: paramsOf(app) })).attachments, []);

    const begun = (await client.attachDatabase({ params: at, query: { deploy: 'true' }, body: {} })) as Deployment;
    const params = { ...paramsOf(app), deployment: String(begun.id) };
    assert.equal((await client.getDeployment({ params, query: { wait: 'true' } })).status, 'succeeded');

    const off = (await client.detachDatabase({ params: at, query: { dry_run: 'true' } })) as DeployPlan;
    assert.match(off.changes.join('\n'), /Removed variables: .*DATABASE_URL/);
    assert.deepEqual(((await client.detachDatabase({ params: at })) as Database).attachments, []);
    assert.deepEqual(await effective(app), []);
    assert.equal((await client.getApp({ params: paramsOf(app) })).pending_changes, true);
  });

  it('changes nothing if attached again, unless the prefix is different', async () => {
    const { app, at } = await pair();
    const revision = async () => (await client.getApp({ params: paramsOf(app) })).revision;
    await client.attachDatabase({ params: at, body: {} });
    const before = await revision();

    await client.attachDatabase({ params: at, body: {} });
    assert.equal(await revision(), before);

    await client.attachDatabase({ params: at, body: { prefix: 'B_' } });
    assert.equal(await revision(), before + 1);
    assert.ok((await effective(app)).every(({ key }) => key.startsWith('B_')));
  });

  it('is refused if its variable names conflict with another attached database', async () => {
    const { app, db, at } = await pair();
    const second = await database(daemon, { project: db.project });
    await client.attachDatabase({ params: at, body: {} });
    const path = `/api/databases/${second.reference}/attachments/${app.name}`;

    const refused = await daemon.call('PUT', path, {});

    assert.equal(refused.status, 409);
    assert.match(refused.text, new RegExp(`DATABASE_URL from both the database ${db.reference} and`));
    assert.equal((await daemon.call('PUT', path, { prefix: 'TWO_' })).status, 200);
    assert.equal((await effective(app)).length, 12);
  });

  it('hides its secrets from viewers in every response', async () => {
    const { app, db, at } = await pair();
    const { password } = await client.getDatabaseCredentials({ params: databaseParams(db) });
    const viewer = user(daemon, 'viewer');
    await client.attachDatabase({ params: at, body: {} });

    const seen = await effective(app, viewer.key);

    assert.deepEqual(
      seen.filter(({ value }) => value === null).map(({ key }) => key),
      ['DATABASE_PASSWORD', 'DATABASE_URL'],
    );
    for (const path of [`/apps/${app.reference}`, `/apps/${app.reference}/env`, `/apps/${app.reference}/revisions/2`]) {
      const { status, text } = await daemon.call('GET', `/api${path}`, undefined, viewer.key);
      assert.equal(status, 200, path);
      assert.ok(!text.includes(password), path);
    }
    const compared = await daemon.call('GET', `/api/apps/${app.reference}/revisions/1/compare`, undefined, viewer.key);
    assert.match(compared.text, /DATABASE_PASSWORD/);
    assert.ok(!compared.text.includes(password));
    assert.equal(
      (await daemon.call('GET', `/api/databases/${db.reference}/credentials`, undefined, viewer.key)).status,
      403,
    );
  });

  it('does not become variables of the app after restoring a revision', async () => {
    const { app, at } = await pair();
    const params = paramsOf(app);
    await client.attachDatabase({ params: at, body: {} });
    await client.setAppEnv({ params, body: { set: { A: '1' } } });
    await client.detachDatabase({ params: at });

    const gone = (await client.restoreRevision({ params: { ...params, revision: '3' } })) as RestoredRevision;
    assert.deepEqual(
      gone.not_restored
        .map(({ key, source }) => `${source} ${key}`)
        .sort()
        .slice(0, 1),
      ['attachment DATABASE_HOST'],
    );
    assert.deepEqual((await client.getAppEnv({ params })).vars, { A: '1' });

    await client.attachDatabase({ params: at, body: {} });
    const there = (await client.restoreRevision({ params: { ...params, revision: '1' } })) as RestoredRevision;
    assert.equal(there.not_restored.length, 6);
    assert.deepEqual((await client.getAppEnv({ params })).vars, {});
  });

  it('cannot be deleted until the app is deleted', async () => {
    const { app, db, at } = await pair();
    await client.attachDatabase({ params: at, body: {} });
    const path = `/api/databases/${db.reference}?confirm=${db.name}`;

    const refused = await daemon.call('DELETE', path);
    assert.equal(refused.status, 409);
    assert.match(refused.text, new RegExp(app.reference));

    await client.deleteApp({ params: paramsOf(app) });
    assert.deepEqual((await client.getDatabase({ params: databaseParams(db) })).attachments, []);
    assert.equal((await daemon.call('DELETE', path)).status, 200);
  });

  it('is refused with another environment, missing permission or an invalid prefix', async () => {
    const { app, db, at } = await pair();
    const elsewhere = await newApp(daemon);
    const attach = (name: string, body: object, key = daemon.key) =>
      daemon.call('PUT', `/api/databases/${db.reference}/attachments/${name}`, body, key);

    assert.equal((await attach(elsewhere.name, {})).status, 404);
    assert.equal((await attach('none', {})).status, 404);
    assert.equal((await attach(app.name, {}, user(daemon, 'viewer').key)).status, 403);
    assert.equal((await attach(app.name, {}, user(daemon, 'member', [elsewhere.project]).key)).status, 404);
    for (const prefix of ['cache_', 'CACHE', '1_', 'DAVIT_', 'A-_', 7])
      assert.equal((await attach(app.name, { prefix })).status, 400, String(prefix));
    const missing = await daemon.call('DELETE', `/api/databases/${db.reference}/attachments/${app.name}`);
    assert.equal(missing.status, 404);
    assert.match(missing.text, /not attached/);
    assert.equal((await client.getApp({ params: paramsOf(app) })).revision, 1);
    await client.attachDatabase({ params: at, body: {} });
  });

  it('with unreadable credentials fails only if the credentials are needed', async () => {
    const { app, db, at } = await pair({ deployed: true });
    await client.setAppEnv({ params: paramsOf(app), body: { set: { A: '1' } } });
    await client.attachDatabase({ params: at, query: { deploy: 'true' }, body: {} });
    daemon.core.store.tx((tx) => tx.run("UPDATE databases SET password = 'v1.x.y.z' WHERE id = ?", db.id));

    const read = await daemon.call('GET', `/api/apps/${app.reference}/env`);
    assert.equal(read.status, 409);
    assert.match(read.text, /credentials of the database .* cannot be decrypted/);
    assert.equal((await daemon.call('GET', `/api/apps/${app.reference}`)).status, 200);
    // The running release has the variables, and is deployed again with the same variables.
    const again = await client.restartApp({ params: paramsOf(app), query: { wait: 'true' } });
    assert.equal('status' in again && again.status, 'succeeded');
    assert.equal((await daemon.call('DELETE', `/api/databases/${db.reference}/attachments/${app.name}`)).status, 200);
    assert.equal((await daemon.call('GET', `/api/apps/${app.reference}/env`)).status, 200);
  });
});
