/** Tests volumes and images without a record. They exist after an older copy of the data directory was restored. */

import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { bootDaemon, deployedApp, paramsOf, type TestDaemon, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';

interface Lost {
  params: ReturnType<typeof paramsOf>;
  /** Name of the volume at the engine. */
  volume: string;
  /** Tag that holds the image of a release. */
  image: string;
}

describe('volumes and images without a record', () => {
  it('cause a warning, and a new volume does not reuse an unrecorded volume', async () => {
    await using daemon = await bootDaemon();
    const { params, volume } = await loseRecords(daemon);
    const warning = await until('the warning is there', async () => {
      const { warnings } = await daemon.client.getInstance();
      return warnings.find((text) => text.includes(volume)) ?? null;
    });
    const { name: fresh } = await daemon.client.addVolume({ params, body: { path: '/other' } });

    assert.match(warning, /orphaned/);
    assert.notEqual(fresh, volume);
    assert.ok((await daemon.engine.volumes()).some(({ name }) => name === volume));
  });

  it('include an app volume that can be adopted with its data', async () => {
    await using daemon = await bootDaemon();
    const { params, volume } = await loseRecords(daemon);
    const { client, engine } = daemon;
    const made = (await engine.volumes()).find(({ name }) => name === volume);
    const listed = (await client.listUnrecorded()).find(({ name }) => name === volume);
    assert.equal(listed?.kind, 'app_volume');
    assert.equal(listed?.made_for, Object.values(params).join('/'));
    assert.equal(listed?.removed_at, null);

    const kept = await client.adoptUnrecorded({ body: { name: volume, project: params.project } });
    assert.equal(kept.state, 'kept');
    assert.ok(!(await client.listUnrecorded()).some(({ name }) => name === volume));
    assert.ok((await client.listVolumes()).some(({ name }) => name === volume));
    const mounted = await client.addVolume({ params, body: { path: '/data', adopt: volume } });
    assert.equal(mounted.name, volume);
    await client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'v3' } });
    // The volume is the same one, not a new volume with the same name.
    assert.deepEqual(
      (await engine.volumes()).find(({ name }) => name === volume),
      made,
    );
    await until('the warning is gone', async () => {
      const { warnings } = await client.getInstance();
      return warnings.some((text) => text.includes(volume)) ? null : true;
    });

    const again = await daemon.call('POST', '/api/unrecorded/adopt', { name: volume, project: params.project });
    assert.equal(again.status, 404);
    const removal = await daemon.call('DELETE', `/api/unrecorded?name=${volume}&confirm=${volume}`);
    assert.equal(removal.status, 404, 'what has a record is not removed here');
  });

  it('of a database or object store become kept volumes after adoption', async () => {
    await using daemon = await bootDaemon();
    const { params } = await loseRecords(daemon);
    const { client, engine } = daemon;
    const { id } = await client.getInstance();
    for (const [kind, name, owner] of [
      ['database_volume', `davit-${id}-db77`, 'database'],
      ['object_store_volume', `davit-${id}-s377`, 'store'],
    ] as const) {
      await engine.ensureVolume(name, 'shop/production/data', owner);
      assert.equal((await client.listUnrecorded()).find((one) => one.name === name)?.kind, kind);
      const kept = await client.adoptUnrecorded({ body: { name, project: params.project } });
      assert.deepEqual([kept.app, kept.state], ['shop/production/data', 'kept']);
    }
  });

  it('include a volume that can be deleted if confirmed and unused', async () => {
    await using daemon = await bootDaemon();
    const { volume } = await loseRecords(daemon);
    const has = async () => (await daemon.engine.volumes()).some(({ name }) => name === volume);
    const slip = await daemon.call('DELETE', `/api/unrecorded?name=${volume}&confirm=other`);
    assert.equal(slip.status, 400);
    const unknown = await daemon.call('DELETE', '/api/unrecorded?name=somebodys&confirm=somebodys');
    assert.equal(unknown.status, 404);
    assert.ok(await has());

    await until('the container of the lost release is gone', async () => {
      const answer = await daemon.call('DELETE', `/api/unrecorded?name=${volume}&confirm=${volume}`);
      return answer.status === 409 ? null : assert.equal(answer.status, 204) === undefined;
    });
    assert.ok(!(await has()));
  });

  it('include an image that is kept for seven days or until removal', async () => {
    const clock = { ms: Date.now() };
    await using daemon = await bootDaemon({ now: () => clock.ms });
    const { params, image } = await loseRecords(daemon);
    const { client, engine } = daemon;
    const collect = () => client.collectImages({ query: { dry_run: 'false' } });
    const [, number] = image.split(':');
    await collect();
    const listed = (await client.listUnrecorded()).find(({ name }) => name === image);
    assert.equal(listed?.kind, 'image');
    assert.equal(Date.parse(listed?.removed_at ?? '') - clock.ms, 7 * 86_400_000);
    assert.equal((await client.listImages()).find(({ tag }) => tag === image)?.kept_for, 'unrecorded');
    assert.ok((await client.getInstance()).warnings.some((text) => text.includes(image)));
    const refused = await daemon.call('POST', '/api/unrecorded/adopt', { name: image, project: params.project });
    assert.equal(refused.status, 409);
    await client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'v3' } });
    const { live_deployment: fresh } = await client.getApp({ params });
    assert.ok(fresh !== null && fresh > Number(number), 'no deployment gets the number of a lost one');
    assert.ok((await engine.heldImages()).includes(image));

    const query = { name: image, confirm: image };
    await client.deleteUnrecorded({ query });
    assert.ok(!(await engine.heldImages()).includes(image));
    assert.ok(!(await client.listUnrecorded()).some(({ name }) => name === image));
  });

  it('include an image that is collected after seven days', async () => {
    const clock = { ms: Date.now() };
    await using daemon = await bootDaemon({ now: () => clock.ms });
    const { image } = await loseRecords(daemon);
    await daemon.client.collectImages({ query: { dry_run: 'false' } });
    clock.ms += 7 * 86_400_000;
    await daemon.client.collectImages({ query: { dry_run: 'false' } });
    assert.ok(!(await daemon.engine.heldImages()).includes(image));
  });

  it('are accessible only to admins of all projects', async () => {
    await using daemon = await bootDaemon();
    const { params, volume, image } = await loseRecords(daemon);
    await daemon.client.listUnrecorded();
    const limited = user(daemon, 'admin', [params.project]);
    for (const [method, path, body] of [
      ['GET', '/api/unrecorded', undefined],
      ['POST', '/api/unrecorded/adopt', { name: volume, project: params.project }],
      ['DELETE', `/api/unrecorded?name=${volume}&confirm=${volume}`, undefined],
    ] as const) {
      assert.equal((await daemon.call(method, path, body, limited.key)).status, 403);
    }
    const { text } = await daemon.call('GET', '/api/instance', undefined, limited.key);
    assert.ok(!text.includes(image), 'a tag names an app');
    assert.ok((await daemon.engine.volumes()).some(({ name }) => name === volume));
  });
});

/** Copies the state, adds a volume and another release to an app, and restores the copy. */
async function loseRecords(daemon: TestDaemon): Promise<Lost> {
  const { app } = await deployedApp(daemon);
  const params = paramsOf(app);
  const { dataDir } = daemon;
  const copy = `${dataDir}-copy`;
  await daemon.stop();
  await cp(dataDir, copy, { recursive: true });
  await daemon.start();
  const before = new Set(await daemon.engine.heldImages());
  const { name: volume } = await daemon.client.addVolume({ params, body: { path: '/data' } });
  await daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'v2' } });
  assert.ok((await daemon.engine.volumes()).some(({ name }) => name === volume));
  const image = (await daemon.engine.heldImages()).find((tag) => !before.has(tag));
  assert.ok(image !== undefined);

  await daemon.stop();
  await rm(dataDir, { recursive: true });
  await cp(copy, dataDir, { recursive: true });
  await rm(copy, { recursive: true });
  await daemon.start();
  return { params, volume, image };
}
