import assert from 'node:assert/strict';
import type { App, Backup, Task, TemplateInstall } from '@davit/api';
import { database, databaseParams, type TestDaemon } from '@davit/testkit';

/** A template that needs only an image, with a generated secret. */
export const TEMPLATE = (name: string, tag = '1.0') => `version: 1
name: ${name}
project: ${name}
minCubeship: ">=0.9.0"
minVersion: ">=0.1.0"
inputs:
  - {key: secret, type: secret, label: Secret, format: hex, bytes: 32}
apps:
  - key: ${name}
    image: registry.test/acme/notes
    tag: "${tag}"
    port: 8080
    env: {SECRET: "\${input.secret}"}
`;

export const STORE_KEYS = { access_key: 'AKIAEXAMPLE', secret_key: 'store-secret-7c1f9e2b' } as const;

/**
 * Creates one resource of every kind besides apps and attaches them to the app, so that all operations have a target.
 * @returns the path parameters of the resources
 */
export async function createAttachedResources(daemon: TestDaemon, app: App): Promise<Record<string, string>> {
  const { client } = daemon;
  const { project } = app;
  const db = await database(daemon, { project, name: `${app.name}-db` });
  const trashed = await database(daemon, { project, name: `${app.name}-old` });
  await client.deleteDatabase({ params: databaseParams(trashed), query: { confirm: trashed.name } });
  const [made] = await client.listTasks({ query: { subject: db.reference } });
  await client.attachDatabase({ params: { ...databaseParams(db), app: app.name }, body: {} });

  // A time that does not occur while a test runs.
  await client.putBackupSchedule({ params: databaseParams(db), body: { cron: '0 0 29 2 *' } });
  const connection = { provider: 'generic', endpoint: 'http://127.0.0.1:9', region: 'us-east-1' } as const;
  const linked = { name: `${app.name}-linked`, project, ...connection, ...STORE_KEYS };
  await client.linkObjectStore({ query: { check: 'false' }, body: linked });
  const store = await storeOfOurs(daemon, app);
  const at = { object_store: store, bucket: 'media', project, environment: app.environment, app: app.name };
  await client.createBucket({ params: { object_store: store }, body: { name: at.bucket } });
  await client.attachBucket({ params: at, body: {} });

  const backup = await backUp(daemon, db.reference);
  const install = await installed(daemon, { project, name: `${app.name}-tpl` });
  return {
    ...{
      database: db.name,
      trashed: String(trashed.id),
      task: String(made?.id),
      object_store: store,
      bucket: at.bucket,
    },
    ...{ backup: String(backup.id), install: String(install) },
  };
}

/**
 * Creates a managed store whose buckets can be listed, because no server listens at the address of a linked store.
 * @returns its name
 */
async function storeOfOurs({ client }: TestDaemon, { project, environment, name }: App): Promise<string> {
  const store = `${name}-files`;
  const params = { project, environment };
  const made = await client.createObjectStore({ params, query: { wait: 'true' }, body: { name: store } });
  assert.equal(made.status, 'succeeded', made.error ?? '');
  return store;
}

async function backUp(daemon: TestDaemon, reference: string): Promise<Backup> {
  const path = `/api/databases/${reference}/backups`;
  const { status, text } = await daemon.call('POST', `${path}?wait=true`);
  assert.equal(status, 200, text);
  const [backup] = JSON.parse((await daemon.call('GET', path)).text) as Backup[];
  assert.ok(backup, text);
  return backup;
}

/**
 * Installs a template.
 * @returns the number of the installation
 */
async function installed(daemon: TestDaemon, { project, name }: { project: string; name: string }): Promise<number> {
  const body = { source: { file: TEMPLATE(name) }, project, environment: 'production' };
  const { status, text } = await daemon.call('POST', '/api/template-installs?wait=true', body);
  assert.equal(status, 200, text);
  assert.equal((JSON.parse(text) as Task).status, 'succeeded', text);
  const installs = JSON.parse((await daemon.call('GET', '/api/template-installs')).text) as TemplateInstall[];
  const own = installs.find((install) => install.project === project);
  assert.ok(own, text);
  return own.id;
}
