/** Tests the dry run of changes that start a deployment. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type App, type AppPlan, type DeployPlan, doneOf, plannedOf } from '@davit/api';
import { bootDaemon, deployedApp, app as newApp, paramsOf, user } from '@davit/testkit';

const DRY = { dry_run: 'true' } as const;

describe('the dry run of a change with a deployment', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const { client } = daemon;

  /** Returns everything that a plan must not change. */
  async function state({ reference }: App) {
    const read = async (path: string) => (await daemon.call('GET', `/api/apps/${reference}${path}`)).text;
    const { observed_at: _, ...app } = JSON.parse(await read(''));
    return [app, await read('/env'), await read('/revisions'), await read('/deployments')];
  }

  it('shows the changes and steps of new settings without applying the settings', async () => {
    const { app } = await deployedApp(daemon);
    const params = paramsOf(app);
    const before = await state(app);

    const body = { health: { path: '/ready' }, args: ['--fast'] };
    const plan = plannedOf(await client.patchApp({ params, query: DRY, body })) as DeployPlan;
    const whole = plannedOf(
      await client.putApp({ params, query: DRY, body: { source: 'image', image: 'ghcr.io/acme/other', tag: 'v9' } }),
    ) as DeployPlan;

    assert.match(plan.changes.join('\n'), /\/ready/);
    assert.ok(
      plan.steps.some(({ name }) => name === 'switch'),
      JSON.stringify(plan.steps),
    );
    assert.match(whole.changes.join('\n'), /v9/);
    assert.deepEqual(await state(app), before);
  });

  it('shows the plan of each live app whose variables would change', async () => {
    const { app } = await deployedApp(daemon);
    const { project, environment } = paramsOf(app);
    const idle = await newApp(daemon, { project });
    const before = await state(app);
    const body = { set: { LOG_LEVEL: 'debug' } };

    const own = plannedOf(await client.setAppEnv({ params: paramsOf(app), query: DRY, body })) as DeployPlan;
    const wide = plannedOf(await client.setProjectEnv({ params: { project }, query: DRY, body })) as AppPlan[];
    const put = plannedOf(
      await client.replaceEnvironmentEnv({ params: { project, environment }, query: DRY, body: { vars: {} } }),
    );

    assert.ok(own.steps.length > 0);
    assert.deepEqual(
      wide.map(({ app }) => app),
      [app.reference],
      `${idle.reference} is not live`,
    );
    assert.deepEqual(put, [], 'no other permission is granted');
    assert.deepEqual(await state(app), before);
  });

  it('shows the plan for restoring a revision without restoring the revision', async () => {
    const { app } = await deployedApp(daemon);
    const params = paramsOf(app);
    await client.patchApp({ params, body: { health: { path: '/ready' } } });
    const before = await state(app);

    const plan = plannedOf(await client.restoreRevision({ params: { ...params, revision: '1' }, query: DRY }));

    assert.ok('steps' in plan && plan.steps.length > 0);
    assert.deepEqual(await state(app), before);
  });

  it('is refused if the change itself would be refused', async () => {
    const { app } = await deployedApp(daemon);
    const path = `/api/apps/${app.reference}`;
    const viewer = user(daemon, 'viewer', [app.project]);
    const never = await newApp(daemon);

    assert.equal((await daemon.call('PATCH', `${path}?dry_run=true`, { port: 0 })).status, 400);
    assert.equal((await daemon.call('PATCH', `${path}?dry_run=true`, { scale: 2 }, viewer.key)).status, 403);
    const nothing = await daemon.call('PATCH', `/api/apps/${never.reference}/env?dry_run=true`, { set: { A: 'b' } });
    assert.deepEqual([nothing.status, /has no release yet/.test(nothing.text)], [409, true], nothing.text);
  });
});

describe('the port of an app', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('is reset to the port of the image by the value “image”', async () => {
    const app = await newApp(daemon, { port: 3000 });
    const params = paramsOf(app);
    const patch = async (body: object) => doneOf(await daemon.client.patchApp({ params, body })) as App;

    assert.equal((await patch({ labels: { a: 'b' } })).port, 3000);
    assert.equal('port' in (await patch({ port: 'image' })), false);
    assert.equal((await patch({ port: null })).port, null);
    const same = await patch({ port: 'image' });
    assert.equal('port' in same, false);
    assert.equal((await patch({ port: 'image' })).revision, same.revision);
    assert.equal((await patch({ scale: 1 })).revision, same.revision);
    const refused = await daemon.call('PATCH', `/api/apps/${app.reference}`, { port: 'any' });
    assert.deepEqual([refused.status, refused.text], [400, 'port: must be a port number, null or “image”.\n']);
  });
});
