/** Tests the effects of a nearly full disk on the whole instance. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { App, Instance } from '@davit/api';
import { bootDaemon, deployedApp, app as makeApp, type TestDaemon } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';

const GIB = 1024 ** 3;

describe('a nearly full disk', () => {
  let daemon: TestDaemon;
  let app: App;
  before(async () => {
    daemon = await bootDaemon();
    ({ app } = await deployedApp(daemon));
    await looked({ freeBytes: 3 * GIB });
  });
  after(() => daemon[Symbol.asyncDispose]());

  const instance = async () => JSON.parse((await daemon.call('GET', '/api/instance')).text) as Instance;
  /** Restarts the daemon on a disk with this much space, and waits for its check of the disk. */
  async function looked(use: { freeBytes: number }): Promise<void> {
    await daemon.stop();
    daemon.engine.controls.setDisk(use);
    await daemon.start();
    await until('the disk was looked at', async () => (await instance()).disk?.free_bytes === use.freeBytes);
  }

  it('is reported in the instance status with a warning', async () => {
    const { disk, warnings } = await instance();

    assert.deepEqual(disk, { path: '/simulated', total_bytes: 100 * GIB, free_bytes: 3 * GIB, state: 'refusing' });
    assert.ok(warnings.some((text) => text.startsWith('The disk of /simulated is 97 % full')));
  });

  it('blocks deployments with an explanation and records no deployment', async () => {
    const before = (await daemon.call('GET', `/api/apps/${app.reference}/deployments`)).text;

    for (const [path, body] of [
      ['deploy', { tag: 'v2' }],
      ['deploy?dry_run=true', { tag: 'v2' }],
    ] as const) {
      const { status, text } = await daemon.call('POST', `/api/apps/${app.reference}/${path}`, body);
      assert.equal(status, 503, `${path} ${text}`);
      assert.match(text, /97 % full .+ Free some/);
    }
    assert.equal((await daemon.call('GET', `/api/apps/${app.reference}/deployments`)).text, before);
  });

  it('blocks registry pushes with an explanation but allows pulls', async () => {
    const pushed = await makeApp(daemon, { source: 'registry', image: undefined });
    const authorization = `Basic ${Buffer.from(`admin:${daemon.key}`).toString('base64')}`;
    const token = (actions: string) =>
      daemon.ask('GET', `/v2/token?service=davit&scope=repository:${pushed.reference}:${actions}`, { authorization });

    const [push, pull] = [await token('pull,push'), await token('pull')];

    assert.deepEqual([push.status, pull.status], [403, 200]);
    assert.match(push.text, /97 % full .+ Free some/);
  });

  it('does not block restarts, runs, setting changes, image collections and deletions', async () => {
    const restarted = await daemon.call('POST', `/api/apps/${app.reference}/restart?wait=true`);
    assert.equal(JSON.parse(restarted.text).status, 'succeeded');
    const ran = await daemon.call('POST', `/api/apps/${app.reference}/run`, { command: ['true'] });
    assert.equal(ran.status, 200);
    assert.equal((await daemon.call('GET', `/api/apps/${app.reference}`)).status, 200);
    assert.equal((await daemon.call('PATCH', `/api/apps/${app.reference}`, { labels: { a: 'b' } })).status, 200);
    assert.equal((await daemon.call('POST', '/api/images/collect?dry_run=false')).status, 200);
    assert.equal((await daemon.call('DELETE', `/api/apps/${app.reference}`)).status, 204);
  });

  it('changes its state after a new limit or with enough free space', async () => {
    await daemon.call('PATCH', '/api/settings', { disk: { refuse_percent: 98 } });
    assert.equal((await instance()).disk?.state, 'warning');
    await daemon.call('PUT', '/api/settings', {});

    await looked({ freeBytes: 60 * GIB });
    const { disk, warnings } = await instance();

    assert.equal(disk?.state, 'ok');
    assert.deepEqual(warnings, ['Docker is simulated on this instance, so no real containers run.']);
    assert.equal((await deployedApp(daemon)).deployment.status, 'succeeded');
  });
});
