/**
 * All encrypted values, changed on disk by another program: each response reports the change, and no response is an
 * internal error.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { allOperations, type TaskStatus } from '@davit/api';
import { bootDaemon, deployedApp, project, type TestDaemon } from '@davit/testkit';
import { unchecked } from '../../src/db/select.ts';
import { builtDashboard } from '../support/built-dashboard.ts';
import { createAttachedResources } from '../support/resources-setup.ts';

const OUTSIDE = /changed outside Davit/;

/**
 * Changes the end of all encrypted values.
 * @returns number of changed values
 */
function tamper({ core: { store } }: TestDaemon): number {
  return store.tx((tx) => {
    let changed = 0;
    for (const { table, column } of textColumns(tx)) {
      const end = `substr("${column}", 1, length("${column}") - 4) || 'AAAA'`;
      changed += tx.run(`UPDATE "${table}" SET "${column}" = ${end} WHERE "${column}" LIKE 'v1.%.%.%'`).changes;
    }
    return changed;
  });
}

function textColumns(
  db: TestDaemon['core']['store'] | Parameters<Parameters<TestDaemon['core']['store']['tx']>[0]>[0],
) {
  return db.all(
    unchecked<{
      table: string;
      column: string;
    }>(`SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema m JOIN pragma_table_info(m.name) c
      WHERE m.type = 'table' AND c.type = 'TEXT'`),
  );
}

describe('encrypted values changed on disk', async () => {
  const built = await builtDashboard();
  const daemon = await bootDaemon({ dashboard: built.dist });
  await project(daemon, 'shop');
  const { app, deployment } = await deployedApp(daemon, { project: 'shop', name: 'web' });
  const resources = await createAttachedResources(daemon, app);
  await daemon.call('PATCH', `/api/apps/${app.reference}/variables`, { vars: { TOKEN: 'x' }, secret: ['TOKEN'] });
  const ran = await daemon.call('POST', `/api/apps/${app.reference}/run`, { command: ['env'] });
  await daemon.settled();
  assert.ok(tamper(daemon) > 8);
  after(async () => {
    await daemon[Symbol.asyncDispose]();
    await built[Symbol.asyncDispose]();
  });

  const params: Record<string, string | number> = {
    ...{
      project: 'shop',
      environment: 'production',
      app: 'web',
      deployment: deployment.id,
      revision: 1,
      user: 'admin',
    },
    run: (JSON.parse(ran.text) as { id: number }).id,
    ...resources,
  };
  const pathOf = (path: string) =>
    `/api${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? 1))}`;

  it('cause conflict errors instead of internal errors in read operations', async () => {
    const refused: string[] = [];
    for (const { id, method, path } of allOperations) {
      if (method !== 'GET' || path.endsWith('/events')) continue;
      const { status, text } = await daemon.call('GET', pathOf(path));
      // No catalog is configured here, which causes this response.
      assert.ok(status < 500 || path.startsWith('/template'), `${id} answers ${status}: ${text}`);
      if (status !== 409) continue;
      refused.push(id);
      assert.match(text, OUTSIDE, id);
    }
    assert.deepEqual(
      ['getDatabaseCredentials', 'getObjectStoreCredentials', 'getTemplateInstallSecrets', 'getRun'].filter(
        (id) => !refused.includes(id),
      ),
      [],
    );
    assert.deepEqual(
      refused.filter((id) => id.startsWith('list')),
      // The contents of an object store are read with its keys.
      ['listBuckets', 'listObjects'],
    );
  });

  const reference = `shop/production/${resources.database}`;
  it('lead to an error with instructions for the credentials of a database', async () => {
    const { status, text } = await daemon.call('GET', `/api/databases/${reference}/credentials`);
    assert.equal(status, 409);
    assert.match(text, OUTSIDE);
    assert.match(text, /davit\.db.*Or restore the latest backup of the app database into a new database/);
    assert.ok(text.includes(reference), text);
  });

  const acts: [string, string, object?][] = [
    ['rotate', `/databases/${reference}/rotate`],
    ['clone', `/databases/${reference}/clone`, { into: 'shop/production/copy' }],
    ['upgrade', `/databases/${reference}/upgrade`, { version: '15', confirm: resources.database }],
    ['back up', `/databases/${reference}/backups`],
    ['verify a backup', `/backups/${resources.backup}/verify`],
    ['restore in place', `/backups/${resources.backup}/restore`, { in_place: true, confirm: resources.database }],
    ['restore from the trash', `/trash/databases/${resources.trashed}/restore`],
    ['restart', `/databases/${reference}/restart`],
    ['deploy', `/apps/${app.reference}/deploy`],
    ['uninstall', `/template-installs/${resources.install}/uninstall`, {}],
  ];
  for (const [what, path, body] of acts) {
    it(`cause no internal error, and a failure reports the change: ${what}`, async () => {
      const { status, text } = await daemon.call('POST', `/api${path}?wait=true`, body);
      assert.ok(status < 500, `${status} ${text}`);
      if (status >= 300) return assert.match(text, OUTSIDE);
      const { status: end, error } = JSON.parse(text) as { status: TaskStatus; error: string | null };
      assert.ok(end === 'succeeded' || end === 'failed', text);
      if (end === 'failed') assert.match(error ?? '', OUTSIDE);
    });
  }

  it('leave no task running and no backup unfinished', async () => {
    const open = await daemon.call('GET', '/api/tasks?status=running');
    assert.equal(open.text, '[]');
    assert.doesNotMatch((await daemon.call('GET', '/api/backups')).text, /"taking"/);
  });
});
