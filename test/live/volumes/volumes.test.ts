/** Volumes and published ports of apps, on a whole instance with real containers. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { AppVolume, Volume } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { BALLAST_BYTES } from '../../../packages/daemon/src/reconcilers/ballast.ts';
import { CASES_AT_ONCE, type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

describe('a live instance with volumes and published ports', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;

  before(async () => {
    harness = await LiveHarness.create();
  });
  after(() => harness?.[Symbol.asyncDispose]());

  const add = (app: LiveApp, path: string, adopt?: string) =>
    harness.client.addVolume({
      params: app.params,
      body: { path, ...(adopt !== undefined && { adopt }) },
    }) as Promise<AppVolume>;
  const trash = (app: LiveApp, { id, name }: AppVolume) =>
    harness.client.removeVolume({ params: { ...app.params, volume: String(id) }, query: { confirm: name } });
  const find = async (name: string) =>
    ((await harness.client.listVolumes({ query: {} })) as Volume[]).find((volume) => volume.name === name);
  const write = (app: LiveApp, text: string) => app.run('sh', '-c', 'echo "$0" > /data/kept', text);
  const kept = async (app: LiveApp, path = '/data/kept') => (await app.run('cat', path)).output.trim();
  const deploy = async (app: LiveApp, tag: string) => {
    const { status, error } = await app.deploy(tag);
    assert.equal(status, 'succeeded', error ?? '');
    await until(
      'one container is left',
      () => app.containers(),
      ({ length }) => length === 1,
    );
  };

  test('keeps data of a volume after a deployment, app deletion and reuse in another app', async () => {
    const app = await harness.app();
    const volume = await add(app, '/data');
    await deploy(app, 'v1');
    await write(app, 'precious');

    await deploy(app, 'v2');
    assert.equal(await kept(app), 'precious');
    await harness.client.deleteApp({ params: app.params });
    assert.equal((await find(volume.name))?.state, 'kept');
    await harness.instance.restart();
    const next = await harness.app();
    await add(next, '/else/where', volume.name);
    await deploy(next, 'v1');

    assert.equal(await kept(next, '/else/where/kept'), 'precious');
  });

  describe('with apps in parallel', { concurrency: CASES_AT_ONCE }, () => {
    test('removes a trashed volume from the app and restores the volume with its data', inLong, async () => {
      const app = await harness.app();
      const volume = await add(app, '/data');
      await deploy(app, 'v1');
      await write(app, 'back again');

      await trash(app, volume);
      await deploy(app, 'v1');
      assert.notEqual((await app.run('test', '-e', '/data/kept')).exitCode, 0);
      await harness.client.restoreVolume({ params: { volume: String(volume.id) } });
      assert.equal((await app.read()).pending_changes, true);
      await deploy(app, 'v1');

      assert.equal(await kept(app), 'back again');
      assert.equal((await app.read()).pending_changes, false);
    });

    test(
      'provides configuration files to releases and commands without exposing their content at the engine',
      inLong,
      async () => {
        const path = '/etc/shop/deep/settings.ini';
        const of = (content: string) => [{ path, content, mode: '0640' }];
        const app = await harness.app({ files: of('token = “first” "one"\n') });
        await deploy(app, 'v1');
        assert.equal((await app.run('cat', path)).output.trim(), 'token = “first” "one"');
        assert.match((await app.run('ls', '-ln', path)).output, /^-rw-r-----\s+1 0\s+0 /);

        await harness.client.patchApp({ params: app.params, body: { files: of('second') } });
        await deploy(app, 'v1');

        assert.equal((await app.run('cat', path)).output.trim(), 'second');
        const ran = await harness.client.runInApp({ params: app.params, body: { command: ['cat', path] } });
        assert.equal((ran as { output: string }).output.trim(), 'second');
        for (const { Id } of await app.containers()) {
          assert.doesNotMatch(JSON.stringify(await harness.docker.getContainer(Id).inspect()), /second/);
        }
      },
    );

    test('refuses to remove a volume in use and removes an unused volume', inLong, async () => {
      const app = await harness.app();
      const volume = await add(app, '/data');
      await deploy(app, 'v1');
      await trash(app, volume);
      const remove = () =>
        harness.client.deleteVolume({ params: { volume: String(volume.id) }, query: { confirm: volume.name } });

      await assert.rejects(remove(), / uses davit-/);
      await deploy(app, 'v1');
      await remove();

      const { Volumes } = await harness.docker.listVolumes();
      assert.equal(
        Volumes?.some(({ Name }) => Name === volume.name),
        false,
      );
    });

    test('reports the size of a volume if known', inLong, async () => {
      const app = await harness.app();
      const { id } = await add(app, '/data');
      await deploy(app, 'v1');
      await app.run('sh', '-c', 'head -c 300000 /dev/zero > /data/zeros');

      const params = { ...app.params, volume: String(id) };
      const { size_bytes } = (await harness.client.getAppVolume({ params, query: { sizes: 'true' } })) as AppVolume;

      assert.ok(size_bytes === null || (size_bytes ?? 0) >= 300_000, String(size_bytes));
    });

    test('returns the volume to the old release if a deployment fails', async () => {
      const app = await harness.app({ health: { grace_s: 5 } });
      await add(app, '/data');
      await deploy(app, 'v1');
      await write(app, 'still mine');

      assert.equal((await app.deploy('crash')).status, 'failed');

      await until(
        'the old release answers',
        () => app.get(),
        ({ text }) => text.startsWith('v1 '),
      );
      await until(
        'one container is left',
        () => app.containers(),
        ({ length }) => length === 1,
      );
      assert.equal(await kept(app), 'still mine');
    });

    test('forwards a published host port to the app across deployments until the app is deleted', async () => {
      const app = await harness.app({ port: 8080 });
      const { host_port } = (await harness.client.addTcpPort({
        params: app.params,
        body: { container_port: 8080 },
      })) as {
        host_port: number;
      };

      for (const tag of ['v1', 'v2']) {
        await deploy(app, tag);
        assert.match(await fetchRaw(host_port), new RegExp(`^HTTP/1\\.[01] 200 [\\s\\S]*${tag} davit-`));
      }
      await harness.client.deleteApp({ params: app.params });
      await assert.rejects(fetchRaw(host_port), /ECONNREFUSED|ECONNRESET/);
    });
  });

  test('completes a deployment with a volume and a single container after the daemon is killed', inLong, async () => {
    const app = await harness.app();
    await add(app, '/data');
    await deploy(app, 'v1');
    await write(app, 'through a crash');
    const { id } = await app.begin('v2');

    await until(
      'the old container is being stopped',
      () => app.record(id),
      ({ steps }) => steps.some(({ name }) => name === 'stop-old'),
    );
    await harness.instance.kill();
    await harness.instance.start();

    assert.equal((await app.ended(id)).status, 'succeeded');
    await until(
      'one container is left',
      () => app.containers(),
      ({ length }) => length === 1,
    );
    assert.match((await app.get()).text, /^v2 /);
    assert.equal(await kept(app), 'through a crash');
  });

  test('reports the disk usage and creates a ballast file if the disk has space', async () => {
    const { DockerRootDir: root } = (await harness.docker.info()) as { DockerRootDir: string };
    const seen = () => harness.client.getInstance();

    const { disk } = await until('a disk was seen', seen, ({ disk }) => disk !== null);
    const made = await until(
      'the reserve is there',
      () => stat(join(harness.instance.dataDir, 'ballast')).catch(() => null),
      (found) => found?.size === BALLAST_BYTES || disk?.state !== 'ok',
    );

    assert.ok([root, harness.instance.dataDir].includes(disk?.path ?? ''), String(disk?.path));
    assert.ok((disk?.total_bytes ?? 0) > (disk?.free_bytes ?? 0));
    if (made !== null) assert.ok(made.blocks * 512 >= BALLAST_BYTES);
  });

  test('hides the volumes of another instance on the same engine', inLong, async () => {
    await using other = await LiveHarness.create();
    const mine = await harness.app();
    const theirs = await other.app();
    const params = theirs.params;
    const foreign = (await other.client.addVolume({ params, body: { path: '/data' } })) as AppVolume;
    await theirs.deploy('v1');

    assert.equal(await find(foreign.name), undefined);
    await assert.rejects(add(mine, '/data', foreign.name), /No detached volume/);
    await harness.client.patchSettings({ body: { volumes: { trash_days: 0 } } });
    await harness.instance.restart();

    assert.ok((await other.objects()).includes(foreign.name));
    await harness.client.patchSettings({ body: { volumes: null } });
  });
});

/** Returns the response of a port of this machine to a minimal request. */
async function fetchRaw(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  await once(socket, 'connect');
  socket.end('GET / HTTP/1.0\r\n\r\n');
  await once(socket, 'close');
  return text;
}
