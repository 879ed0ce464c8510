/** Tests the output of `davit status`, `davit app list` and `davit app get` for an app whose last deployment failed. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deployedApp, paramsOf } from '@davit/testkit';
import { withDavit } from './support/davit.ts';

describe('a failed last deployment', () => {
  const on = withDavit();

  async function failedApp() {
    const { app } = await deployedApp(on.daemon);
    const params = paramsOf(app);
    const failed = await on.daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'crash' } });
    assert.ok('id' in failed && failed.status === 'failed');
    return { app, params, failed };
  }

  it('appears in davit status until a later deployment succeeds, and keeps the exit code of a running app', async () => {
    const { app, params, failed } = await failedApp();

    const { code, stdout } = await on.davit.run(['status']);

    assert.equal(code, 0);
    const show = `davit deployment get ${app.reference} ${failed.id}`;
    assert.match(stdout, new RegExp(`! The last deployment of ${app.reference} failed.*${show}`));
    assert.doesNotMatch(stdout, /No problems found/);
    await on.daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'v2' } });
    assert.doesNotMatch((await on.davit.run(['status'])).stdout, /last deployment/);
  });

  it('appears in the list of apps and in the app', async () => {
    const { app, failed } = await failedApp();

    const list = await on.davit.run(['app', 'list', '-p', app.project]);
    const one = await on.davit.run(['app', 'get', app.reference]);
    const json = await on.davit.run(['app', 'get', app.reference, '--json']);

    assert.match(list.stdout, new RegExp(` ${app.live_deployment} +${failed.id} failed`));
    assert.match(one.stdout, new RegExp(`^last deployment +${failed.id} failed`, 'm'));
    const { id, status } = JSON.parse(json.stdout).last_deployment;
    assert.deepEqual([id, status], [failed.id, 'failed']);
  });
});
