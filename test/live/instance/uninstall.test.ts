/**
 * Removal of an instance on a separate Docker Engine with a second instance and objects of other programs. The engine is
 * separate, so that the test can compare all its objects before and after the removal.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { until } from '@davit/testkit/waiting';
import { runAction } from '../../support/daemon-action.ts';
import { type LiveApp, LiveHarness } from '../../support/live-harness.ts';
import { PrivateEngine, whyNoPrivateEngine } from '../../support/private-engine.ts';

describe('the removal of an instance', { skip: whyNoPrivateEngine() ?? false }, () => {
  let engine: PrivateEngine;
  let harness: LiveHarness;
  let neighbor: LiveHarness;
  let app: LiveApp;
  let neighborApp: LiveApp;
  let id: string;
  const cleanup = new AsyncDisposableStack();

  before(async () => {
    engine = cleanup.use(await PrivateEngine.create({ liveRestore: false }));
    harness = cleanup.use(await LiveHarness.create({ place: engine }));
    neighbor = cleanup.use(await LiveHarness.create({ place: engine }));
    id = harness.instance.id ?? assert.fail('the instance has no id');
    app = await appWithVolume(harness);
    neighborApp = await appWithVolume(neighbor);
    await createForeignObjects();
  });
  after(() => cleanup.disposeAsync());

  async function appWithVolume(of: LiveHarness): Promise<LiveApp> {
    const created = await of.app();
    await of.client.addVolume({ params: created.params, body: { path: '/data' } });
    const { status, error } = await created.deploy('v1');
    assert.equal(status, 'succeeded', error ?? '');
    await created.run('sh', '-c', 'echo precious > /data/kept');
    return created;
  }

  /** Creates objects of another program, whose names look like those of the instance. */
  async function createForeignObjects(): Promise<void> {
    const { docker } = engine;
    const image = docker.getImage(`${harness.image}:v1`);
    await docker.createNetwork({ Name: `davit-${id}-mine` });
    await docker.createVolume({ Name: `davit-${id}-v99` });
    await docker.createVolume({ Name: 'mine', Labels: { 'davit.instance': `${id}x` } });
    const container = await docker.createContainer({
      name: `davit-${id}-99-1`,
      Image: `${harness.image}:v1`,
      HostConfig: { NetworkMode: `davit-${id}-mine`, Binds: [`davit-${id}-v99:/data`] },
    });
    await container.start();
    const repositories = [`davit-${id}x/web`, `registry.example/davit-${id}/web`, 'davit/mine', `mine/davit-${id}`];
    for (const repo of repositories) await image.tag({ repo, tag: '1' });
    await image.tag({ repo: 'davit/firewall', tag: `${id}x-1` });
  }

  /** Returns the names of all objects of the engine, and the state of its containers. */
  async function everything(): Promise<string[]> {
    const { docker } = engine;
    const listed = await docker.listContainers({ all: true });
    // The program that lists the firewall tables runs in a container that Docker removes in the background.
    const containers = listed.filter(({ State }) => State !== 'removing');
    const { Volumes: volumes } = await docker.listVolumes();
    const images = await docker.listImages();
    return [
      // The firewall container runs again after each change, and has a new id then.
      ...containers.map(({ Names, State, Labels }) =>
        Labels['davit.kind'] === 'firewall' ? `container ${Names[0]}` : `container ${Names[0]} ${State}`,
      ),
      ...(await docker.listNetworks()).map(({ Name }) => `network ${Name}`),
      ...(volumes ?? []).map(({ Name }) => `volume ${Name}`),
      ...images.flatMap(({ Id, RepoTags }) => (RepoTags ?? []).map((tag) => `image ${tag} ${Id}`)),
      ...(await firewallTables()).map((table) => `firewall ${table}`),
    ].sort();
  }

  async function firewallTables(): Promise<string[]> {
    const images = await engine.docker.listImages();
    const image = images.find(({ RepoTags }) => RepoTags?.some((tag) => /^davit\/firewall:[0-9a-f]{16}$/.test(tag)));
    const output = new PassThrough();
    const HostConfig = { NetworkMode: 'host', CapAdd: ['NET_ADMIN'], AutoRemove: true };
    await engine.docker.run(image?.Id ?? '', ['list', 'tables'], output, { Tty: true, HostConfig });
    return [...(await text(output)).matchAll(/davit_\w+/g)].map(([name]) => name);
  }

  const isOwn = (line: string) =>
    new RegExp(`^(container /davit-${id}-|network davit-${id}-e|image davit-${id}/|image davit/[^:]+:${id}-)`).test(
      line,
    ) || line === `firewall davit_${id}`;
  const isForeignContainer = (line: string) => line.startsWith(`container /davit-${id}-99-1 `);
  const volumeOfApp = async () => {
    const [volume] = await harness.client.listVolumes({ query: {} });
    return volume ?? assert.fail('the app has no volume');
  };

  const uninstall = (...flags: string[]) =>
    runAction(['uninstall', '--data-dir', harness.instance.dataDir, '--docker-host', engine.dockerHost, ...flags]);

  test('lists the objects of the instance in a dry run, and changes nothing without the correct id', async () => {
    const before = await everything();

    const dryRun = await uninstall('--dry-run', '--delete-data');
    const unconfirmed = await uninstall();
    const wrong = await uninstall('--delete-data', '--confirm', neighbor.instance.id ?? '');

    assert.equal(dryRun.exit, 0);
    const lines = dryRun.events.flatMap((event) => event.lines);
    const listed = lines.filter((line) => !line.startsWith('remove  file'));
    const own = before.filter((line) => (isOwn(line) && !isForeignContainer(line)) || isVolumeOf(line));
    assert.equal(listed.length, own.length, `${listed.join('\n')}\nexpected:\n${own.join('\n')}`);
    assert.ok(lines.some((line) => line.endsWith(join(harness.instance.dataDir, 'master.key'))));
    assert.deepEqual([unconfirmed.exit, wrong.exit], [2, 2]);
    assert.deepEqual(await everything(), before);
    assert.equal((await app.get()).status, 200);
  });

  /** Volumes of the instance: of the app, and the one that binds the data directory. */
  const isVolumeOf = (line: string) => new RegExp(`^volume davit-${id}-(v(?!99$)\\d+|home-\\w+)$`).test(line);

  test('stops the daemon, removes only objects of the instance, and keeps its data', async () => {
    const volume = await volumeOfApp();
    const before = await everything();

    const { exit, events, data } = await uninstall('--confirm', id);

    assert.equal(exit, 0, JSON.stringify(events.at(-1)));
    const expected = before.filter((line) => !isOwn(line) || isForeignContainer(line));
    assert.deepEqual(await everything(), expected);
    assert.ok(expected.includes(`volume ${volume.name}`));
    assert.equal(data('result')?.sharedTags, null, 'the other instance needs the shared images');
    assert.equal((await neighborApp.get()).status, 200);
    assert.equal((await neighborApp.run('cat', '/data/kept')).output.trim(), 'precious');
  });

  test('lets the instance start again with its kept data', async () => {
    await harness.instance.start();

    assert.equal((await app.deploy('v1')).status, 'succeeded');
    await until(
      'one container is left',
      () => app.containers(),
      ({ length }) => length === 1,
    );
    assert.equal((await app.run('cat', '/data/kept')).output.trim(), 'precious');
  });

  test('continues after an interruption, without the database and with a kept object of another program', async () => {
    const { dataDir } = harness.instance;
    const volume = await volumeOfApp();
    const before = await everything();
    const user = await engine.docker.createContainer({
      name: 'user-of-the-volume',
      Image: `${harness.image}:v1`,
      HostConfig: { Binds: [`${volume.name}:/data`] },
    });
    const log = join(dataDir, 'daemon.log');
    await rm(log);
    await harness.instance.kill();
    await writeFile(join(dataDir, 'davit.db'), 'damaged');
    await truncate(join(dataDir, 'davit.db-wal')).catch(() => undefined);

    const args = ['uninstall', '--data-dir', dataDir, '--docker-host', engine.dockerHost, '--delete-data'];
    const killed = await runAction([...args, '--confirm', id], { killAfter: 'removed' });
    const second = await uninstall('--delete-data', '--confirm', id);

    assert.equal(killed.exit, 'SIGKILL');
    assert.equal(second.exit, 1);
    const kept = second.data('result')?.kept as unknown as { kind: string; name: string }[];
    assert.deepEqual(
      kept.map(({ kind, name }) => [kind, name]),
      [['volume', volume.name]],
    );
    assert.deepEqual(readdirSync(dataDir).sort(), ['instance-id', 'lock.db']);

    await user.remove();
    const third = await uninstall('--delete-data', '--confirm', id);
    assert.equal(third.exit, 0, JSON.stringify(third.events.at(-1)));
    assert.equal(existsSync(dataDir), false);
    const expected = before.filter((line) => (!isOwn(line) && !isVolumeOf(line)) || isForeignContainer(line));
    assert.deepEqual(await everything(), expected);
    assert.equal((await neighborApp.get()).status, 200);
    assert.equal((await uninstall('--dry-run')).exit, 1, 'there is no instance anymore');
  });
});
