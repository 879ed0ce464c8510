/**
 * Records of every change of a database, an object store, a backup, a task and an installation. Each change adds a row
 * to the audit log with the resource and its project, and publishes an event. An operation that is missing here fails
 * the test.
 */

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { allOperations, type Database, RESOURCE_EVENT_KINDS, type ResourceEvent, type Task } from '@davit/api';
import { bootDaemon, database, databaseParams, deployedApp, project, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { moveBackupSchedule } from '../../src/db/tables/backup-schedule.ts';
import { runDueBackups } from '../../src/resources/backups/run-due.ts';
import { rows } from '../support/audit.ts';
import { TEMPLATE } from '../support/resources-setup.ts';

const TAGS = new Set(['Databases', 'Backups', 'Object stores', 'Tasks', 'Templates']);

/** Operations that are not run here, with the reason. */
const APART: Readonly<Record<string, string>> = {
  addDatabaseExtensions: 'the simulated engine has none to add that is not there',
  restoreDatabaseTo: 'takes an archive of the write-ahead log; test/live has one',
  cancelTask: 'needs a running task: see the separate case below',
  installTemplate: 'what it makes is what installTemplateFile makes, from a catalog',
  retryTemplateInstall: 'takes one that failed: a case of its own below',
  importTemplate: 'changes nothing',
  checkObjectStore: 'changes nothing',
  presignObject: 'changes nothing here, and has its row all the same',
};

type Kind = ResourceEvent['kind'] | 'task' | 'app';

/** Operations in their order. `{db}` and similar placeholders are existing resources. */
interface Change {
  id: string;
  path: string;
  body?: object;
  /** Target in the audit row. */
  target: string;
  /** Kinds of events that the operation publishes. */
  told: readonly Kind[];
}

describe('audit row and event of a change', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const shop = await project(daemon, 'shop');
  await deployedApp(daemon, { project: shop, name: 'web' });
  const at = `${shop}/production`;
  const db = `/api/databases/${at}/main`;
  const location = { project: shop, environment: 'production' };
  const linked = { provider: 'generic', endpoint: 'http://127.0.0.1:9', region: 'us-east-1' };
  const attached = `attachments/${at}/web`;

  const [old, older] = [await trashed('old'), await trashed('older')];
  const ofDatabase: Change[] = [
    change('createDatabase', '/api/databases', `${at}/main`, { ...location, name: 'main', engine: 'postgres' }),
    change('patchDatabase', db, `${at}/main`, { description: 'Orders' }),
    change('restartDatabase', `${db}/restart`, `${at}/main`),
    change('stopDatabase', `${db}/stop`, `${at}/main`),
    change('startDatabase', `${db}/start`, `${at}/main`),
    change('exposeDatabase', `${db}/expose`, `${at}/main`, {}),
    change('unexposeDatabase', `${db}/expose`, `${at}/main`),
    change('attachDatabase', `${db}/attachments/web`, `${at}/main/web`, {}, ['database', 'app']),
    change('rotateDatabasePassword', `${db}/rotate`, `${at}/main`),
    change('detachDatabase', `${db}/attachments/web`, `${at}/main/web`, undefined, ['database', 'app']),
    change('putBackupSchedule', `${db}/backups/schedule`, `${at}/main/backups/schedule`, { cron: '0 0 29 2 *' }),
    change('removeBackupSchedule', `${db}/backups/schedule`, `${at}/main/backups/schedule`),
    change('backUpDatabase', `${db}/backups`, `${at}/main/backups/1`, {}, ['backup', 'task']),
    change('verifyBackup', '/api/backups/1/verify', 'backups/1', undefined, ['backup', 'task']),
    change('restoreBackup', '/api/backups/1/restore', `${at}/restored`, { into: `${at}/restored` }),
    change('cloneDatabase', `${db}/clone`, `${at}/copy`, { into: `${at}/copy` }),
    change('upgradeDatabase', `${db}/upgrade`, `${at}/main`, { version: '15', confirm: 'main' }),
    change('deleteBackup', '/api/backups/1?confirm=main', 'backups/1', undefined, ['backup']),
    change('deleteDatabase', `${db}?confirm=main`, `${at}/main`),
    change('restoreDatabase', `/api/trash/databases/${old.id}/restore`, `${at}/old`),
    change('destroyDatabase', `/api/trash/databases/${older.id}?confirm=older`, `${at}/older`),
  ];
  const files = '/api/object-stores/files';
  const ofStore: Change[] = [
    change('createObjectStore', `/api/projects/${shop}/environments/production/object-stores`, 'files', {
      name: 'files',
    }),
    change('patchObjectStore', files, 'files', { description: 'Pictures' }),
    change('exposeObjectStore', `${files}/expose`, 'files', {}),
    change('unexposeObjectStore', `${files}/expose`, 'files'),
    change('stopObjectStore', `${files}/stop`, 'files'),
    change('startObjectStore', `${files}/start`, 'files'),
    change('createBucket', `${files}/buckets`, 'files', { name: 'media' }),
    change('attachBucket', `${files}/buckets/media/${attached}`, `files/media/${at}/web`, {}, ['object_store', 'app']),
    change('detachBucket', `${files}/buckets/media/${attached}`, `files/media/${at}/web`, undefined, [
      'object_store',
      'app',
    ]),
    change('deleteObject', `${files}/buckets/media/objects?key=a`, 'files/media'),
    change('deleteFolder', `${files}/buckets/media/folders?prefix=a%2F&confirm=a%2F`, 'files/media'),
    change('deleteBucket', `${files}/buckets/media?confirm=media`, 'files/media'),
    change('deleteObjectStore', `${files}?confirm=files`, 'files'),
    change('restoreObjectStore', `${files}/restore`, 'files'),
    change('linkObjectStore', '/api/object-stores?check=false', 'cold', {
      ...{ ...linked, name: 'cold', project: shop, access_key: 'AKIAEXAMPLE', secret_key: 'secret-7c1f9e2b' },
    }),
  ];
  const ofInstall: Change[] = [
    change('installTemplateFile', '/api/template-installs', 'template-installs/1', {
      ...{ ...location, source: { file: TEMPLATE('notes') } },
    }),
    change('updateTemplateInstall', '/api/template-installs/1/update', 'template-installs/1', {
      file: TEMPLATE('notes', '2.0'),
    }),
    change('rollbackTemplateInstall', '/api/template-installs/1/rollback', 'template-installs/1', {}),
    change('uninstallTemplate', '/api/template-installs/1/uninstall', 'template-installs/1', { confirm: 'notes' }),
  ];
  const all = [...ofDatabase, ...ofStore, ...ofInstall];

  it('are tested for every operation that changes a resource', () => {
    const declared = allOperations.filter(({ tag, method }) => TAGS.has(tag) && method !== 'GET').map(({ id }) => id);
    assert.deepEqual([...all.map(({ id }) => id), ...Object.keys(APART)].toSorted(), declared.toSorted());
  });

  it('have at least one operation for each kind of the event “resource”', () => {
    const published = new Set(all.flatMap(({ told }) => told));
    assert.deepEqual(
      RESOURCE_EVENT_KINDS.filter((kind) => !published.has(kind)),
      [],
      'remove a kind that is never sent',
    );
  });

  for (const one of all) {
    it(one.id, async () => {
      const { method, query } = allOperations.find(({ id }) => id === one.id) ?? assert.fail(one.id);
      const before = (await rows(daemon, 'limit=1'))[0]?.id ?? 0;
      const events: { kind: string; projectId: number | null; data: Record<string, unknown> }[] = [];
      const stop = daemon.core.store.onEvent((event) => void events.push(event as (typeof events)[number]));
      const waits = query !== undefined && 'wait' in query.shape;
      const path = waits ? `${one.path}${one.path.includes('?') ? '&' : '?'}wait=true` : one.path;
      const { status, text } = await daemon.call(method, path, one.body);
      await daemon.settled();
      stop();

      assert.ok(status < 300, `${status} ${text}`);
      if (waits) assert.equal(JSON.parse(text).status, 'succeeded', text);
      const found = (await rows(daemon)).filter(({ id, operation }) => id > before && operation === one.id);
      assert.deepEqual(
        found.map(({ target, outcome, status: answered }) => [target, outcome, answered]),
        [[one.target, 'ok', status]],
      );
      for (const kind of one.told) {
        const matching = events.filter((event) => event.kind === kind || event.data.kind === kind);
        assert.notEqual(matching.length, 0, `${one.id} publishes no event about a ${kind}: ${JSON.stringify(events)}`);
        assert.ok(
          matching.every(({ projectId }) => projectId !== null),
          `${one.id}: users of the project get the event`,
        );
      }
    });
  }

  it('cancelTask', async () => {
    const gate = daemon.engine.controls.pause('ensureVolume');
    const begun = await daemon.call('POST', '/api/databases', { ...location, name: 'late', engine: 'postgres' });
    await gate.reached;
    const { id } = JSON.parse(begun.text) as Task;
    const cancelled = daemon.call('POST', `/api/tasks/${id}/cancel`);
    const isRecorded = async () => (await rows(daemon, 'limit=1&operation=cancelTask')).length === 1;
    await until('that it was asked for is on record', isRecorded);
    gate.open();
    assert.equal((await cancelled).status, 200);
    await leaves('cancelTask', `tasks/${id}`);
  });

  it('retryTemplateInstall', async () => {
    daemon.engine.controls.fail('createGroup');
    const body = { ...location, source: { file: TEMPLATE('again') }, keep_failed: true };
    const { subject, status } = JSON.parse((await daemon.call('POST', '/api/template-installs?wait=true', body)).text);
    assert.equal(status, 'failed');
    const retried = await daemon.call('POST', `/api/template-installs/${subject.name}/retry?wait=true`);
    assert.equal(JSON.parse(retried.text).status, 'succeeded', retried.text);
    await leaves('retryTemplateInstall', `template-installs/${subject.name}`);
  });

  async function leaves(operation: string, target: string): Promise<void> {
    const found = await rows(daemon, `limit=1&operation=${operation}`, user(daemon, 'admin', [shop]).key);
    assert.deepEqual(
      found.map((row) => [row.target, row.outcome]),
      [[target, 'ok']],
    );
  }

  it('are visible only to admins with access to the project', async () => {
    await project(daemon, 'other');
    const [there, elsewhere] = [user(daemon, 'admin', [shop]).key, user(daemon, 'admin', ['other']).key];
    const seen = async (key: string) => new Set((await rows(daemon, 'limit=500', key)).map((row) => row.operation));
    const changes = new Set(all.map(({ id }) => id));
    assert.deepEqual(changes.difference(await seen(there)), new Set());
    assert.deepEqual(changes.intersection(await seen(elsewhere)), new Set());
  });

  it('contain the resource and its project even if the change is refused', async () => {
    for (const [path, body, target] of [
      ['/api/template-installs/1/retry', undefined, 'template-installs/1'],
      ['/api/tasks/1/cancel', undefined, 'tasks/1'],
      ['/api/backups/2/restore', { into: `${at}/copy` }, 'backups/2'],
    ] as const) {
      if (target === 'backups/2') await daemon.call('POST', `/api/databases/${at}/old/backups?wait=true`);
      assert.equal((await daemon.call('POST', path, body)).status, 409, path);
      const [row] = await rows(daemon, 'limit=1', user(daemon, 'admin', [shop]).key);
      assert.deepEqual([row?.target, row?.outcome], [target, 'refused']);
    }
  });

  it('include an event for a missed backup', async () => {
    const params = databaseParams(old);
    await daemon.client.putBackupSchedule({ params, body: { cron: '0 0 29 2 *' } });
    await daemon.client.stopDatabase({ params, query: { wait: 'true' } });
    daemon.core.store.tx((tx) => moveBackupSchedule(tx, old.id, 1, null));
    const published: unknown[] = [];
    const stop = daemon.core.store.onEvent(({ kind, data }) => {
      if (kind === 'resource') published.push([data.reference, data.change]);
    });

    await runDueBackups(daemon.core);
    stop();

    const { missed } = await daemon.client.getBackupSchedule({ params });
    assert.equal(missed, 'The database was stopped.');
    assert.deepEqual(published, [[`${at}/old`, 'backups']]);
  });

  async function trashed(name: string): Promise<Database> {
    const made = await database(daemon, { project: shop, name });
    await daemon.client.deleteDatabase({ params: databaseParams(made), query: { confirm: name } });
    return made;
  }

  function change(id: string, path: string, target: string, body?: object, published?: readonly Kind[]): Change {
    const kind = /Database|Schedule|Backup/.test(id) ? 'database' : /Template/.test(id) ? 'install' : 'object_store';
    return { id, path, target, ...(body && { body }), told: published ?? [kind] };
  }
});
