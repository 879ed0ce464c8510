/** An older copy of the data directory is restored on real Docker. Newer objects are listed, adopted and removed. */

import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until } from '@davit/testkit/waiting';
import { belongingsOf } from '../../support/instance-removal.ts';
import { type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

describe('orphaned volumes and images', { skip: whyNoEngine() ?? inLong.skip }, () => {
  let harness: LiveHarness;
  let folder: string;
  let app: LiveApp;
  let lost: { kept: string; dropped: string; image: string };
  before(async () => {
    harness = await LiveHarness.create();
    folder = await mkdtemp(join(tmpdir(), 'davit-older-'));
    ({ app, lost } = await loseRecords());
  });
  after(async () => {
    await harness?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const objects = () => belongingsOf(harness.docker, harness.instance.id ?? '');
  const unrecorded = async () => (await harness.client.listUnrecorded()).map(({ name }) => name);
  const add = (path: string, adopt?: string) =>
    harness.client.addVolume({ params: app.params, body: { path, ...(adopt !== undefined && { adopt }) } });

  const deploy = async (tag: string) => {
    const { status, error } = await app.deploy(tag);
    assert.equal(status, 'succeeded', error ?? '');
    await until(
      'one container is left',
      () => app.containers(),
      ({ length }) => length === 1,
    );
  };

  /** Copies the state, adds volumes with data and another release to an app, and restores the copy. */
  async function loseRecords() {
    app = await harness.deployedApp();
    const { instance } = harness;
    await instance.stop();
    await copyState(instance.dataDir, folder);
    await instance.start();
    const before = new Set((await objects()).tags);
    const kept = await add('/data');
    const dropped = await add('/other');
    await deploy('v2');
    await app.run('sh', '-c', 'echo precious > /data/kept');
    const image = (await objects()).tags.find((tag) => !before.has(tag));
    assert.ok(image !== undefined);

    await instance.stop();
    await copyState(folder, instance.dataDir);
    await instance.start();
    return { app, lost: { kept: kept.name, dropped: dropped.name, image } };
  }

  test('are listed and named in a warning', async () => {
    const found = await harness.client.listUnrecorded();
    const kinds = new Map(found.map(({ name, kind }) => [name, kind]));
    assert.deepEqual(
      [lost.kept, lost.dropped, lost.image].map((name) => kinds.get(name)),
      ['app_volume', 'app_volume', 'image'],
    );
    await until(
      'a warning names them',
      async () => (await harness.client.getInstance()).warnings.join(),
      (text) => text.includes(lost.kept) && text.includes(lost.image),
    );
  });

  test('are adopted with their data', async () => {
    const { project } = app.params;
    await harness.client.adoptUnrecorded({ body: { name: lost.kept, project } });
    assert.ok(!(await unrecorded()).includes(lost.kept));
    await add('/data', lost.kept);
    await deploy('v1');

    assert.equal((await app.run('cat', '/data/kept')).output.trim(), 'precious');
  });

  test('are removed from the engine on request', async () => {
    const { dropped, image } = lost;
    const remove = (name: string) => harness.client.deleteUnrecorded({ query: { name, confirm: name } });
    // The container of the lost release has no record either, so a reconciler removes it.
    await until(
      'no container uses the volume',
      () => remove(dropped).catch((error: Error & { code?: string }) => error.code),
      (code) => code === undefined,
    );
    await remove(image);

    const { volumes, tags } = await objects();
    assert.deepEqual([volumes.includes(dropped), tags.includes(image)], [false, false]);
    assert.ok(volumes.includes(lost.kept));
    assert.deepEqual(await unrecorded(), []);
    await deploy('v1');
    assert.equal((await app.run('cat', '/data/kept')).output.trim(), 'precious');
  });
});

/** Copies only the database. After the instance has ended, the database has no other files. */
async function copyState(from: string, to: string): Promise<void> {
  for (const rest of ['-wal', '-shm']) await rm(join(to, `davit.db${rest}`), { force: true });
  await copyFile(join(from, 'davit.db'), join(to, 'davit.db'));
}
