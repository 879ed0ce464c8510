/** Held images, and images that a collection removes, with the simulated engine. */

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { App, HeldImage, ImageCollection } from '@davit/api';
import { bootDaemon, deployedApp, app as makeApp, project, type TestDaemon, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { allPulledImages, recordPulled } from '../../src/db/tables/pulled-image.ts';

describe('held images', () => {
  let daemon: TestDaemon;
  beforeEach(async () => {
    daemon = await bootDaemon();
  });
  afterEach(() => daemon[Symbol.asyncDispose]());

  const list = async (key = daemon.key) =>
    JSON.parse((await daemon.call('GET', '/api/images', undefined, key)).text) as HeldImage[];
  const collect = async (query = '?dry_run=false') => {
    const { status, text } = await daemon.call('POST', `/api/images/collect${query}`);
    assert.equal(status, 200, text);
    return JSON.parse(text) as ImageCollection;
  };
  const deploy = (app: App, tag: string) => daemon.call('POST', `/api/apps/${app.reference}/deploy?wait=true`, { tag });
  const here = async (reference: string) => (await daemon.engine.findImage(reference)) !== null;
  /** Returns an app that had the releases v1 to v4. One release besides the live one is kept. */
  async function manyReleases(): Promise<App> {
    await daemon.call('PATCH', '/api/settings', { images: { keep: 1 } });
    const { app } = await deployedApp(daemon);
    for (const tag of ['v2', 'v3', 'v4']) await deploy(app, tag);
    await retired(app);
    return app;
  }
  /** Resolves when all containers of older releases are removed. */
  async function retired(app: App): Promise<void> {
    const own = () => daemon.engine.controls.containers().filter((container) => container.app === app.reference);
    await until('the containers of older releases are gone', () => own().length <= 1);
  }

  it('say of whose release they are and why they stay', async () => {
    const app = await manyReleases();

    const images = (await list()).sort((a, b) => (a.deployment ?? 0) - (b.deployment ?? 0));

    assert.deepEqual(
      images.map(({ kept_for }) => kept_for),
      [null, null, 'rollback', 'live'],
    );
    assert.equal(
      images.every((image) => image.app === app.reference && image.size_bytes > 0),
      true,
    );
  });

  it('are only counted by a dry run, which is what is done unless it is said otherwise', async () => {
    await manyReleases();
    const before = await list();

    const [silent, dry] = [await collect(''), await collect('?dry_run=true')];

    assert.deepEqual(silent, dry);
    assert.equal(dry.dry_run, true);
    assert.deepEqual(await list(), before);
  });

  it('go when nothing needs them, and with them the names under which they were pulled', async () => {
    await manyReleases();
    const dry = await collect('');

    const done = await collect();

    assert.deepEqual({ ...done, dry_run: true }, dry);
    assert.deepEqual(done.names, ['example/web:v1', 'example/web:v2']);
    assert.equal(done.freed_bytes, 2_000_000);
    assert.deepEqual((await list()).map(({ kept_for }) => kept_for).sort(), ['live', 'rollback']);
    assert.deepEqual([await here('example/web:v1'), await here('example/web:v4')], [false, true]);
    assert.deepEqual((await collect()).images, []);
  });

  it('that somebody else pulled keep the name under which he did', async () => {
    await daemon.call('PATCH', '/api/settings', { images: { keep: 1 } });
    daemon.engine.controls.addImage('example/web:v1');
    const { app } = await deployedApp(daemon);
    for (const tag of ['v2', 'v3', 'v4']) await deploy(app, tag);
    await retired(app);

    const { names, images } = await collect();

    assert.equal(images.length, 2);
    assert.deepEqual(names, ['example/web:v2']);
    assert.equal(await here('example/web:v1'), true);
  });

  it('keep the names under which they were pulled when the settings say so', async () => {
    await manyReleases();
    await daemon.call('PATCH', '/api/settings', { images: { forget_pulled: false } });

    assert.deepEqual((await collect()).names, []);

    assert.equal(await here('example/web:v1'), true);
  });

  it('under a name that means another image by now lose our tag and leave the name', async () => {
    await manyReleases();
    daemon.engine.controls.addImage('example/web:v1');

    await collect();

    assert.equal(await here('example/web:v1'), true);
  });

  it('stay while a deployment is under way that goes back to them', async () => {
    await daemon.call('PATCH', '/api/settings', { images: { keep: 1 } });
    const { app, deployment } = await deployedApp(daemon);
    await deploy(app, 'v2');
    await deploy(app, 'v3');
    const gate = daemon.engine.controls.pause('createGroup');
    const rollback = daemon.call('POST', `/api/apps/${app.reference}/rollback?wait=true`, {
      deployment: deployment.id,
    });
    await gate.reached;

    const { images } = await collect();

    assert.equal(
      images.some((image) => image.deployment === deployment.id),
      false,
    );
    gate.open();
    assert.equal(JSON.parse((await rollback).text).status, 'succeeded');
  });

  it('that could not be pulled are not remembered', async () => {
    const app = await makeApp(daemon);
    daemon.engine.controls.fail('pullImage');
    await deploy(app, 'v1');
    assert.equal(allPulledImages(daemon.core.store).length, 1);

    await collect();

    assert.deepEqual(allPulledImages(daemon.core.store), []);
  });

  it('whose pull was cut short by a crash are known as pulled here all the same', async () => {
    const { store, now } = daemon.core;
    const { id } = daemon.engine.controls.addImage('example/web:v1');
    store.tx((tx) => recordPulled(tx, { reference: 'example/web:v1', image_id: id }, now()));

    assert.deepEqual((await collect()).names, ['example/web:v1']);

    assert.equal(await here('example/web:v1'), false);
  });

  it('of a deleted app go with it', async () => {
    const { app } = await deployedApp(daemon);

    await daemon.call('DELETE', `/api/apps/${app.reference}`);
    await collect();

    assert.deepEqual(await list(), []);
    assert.equal(await here('example/web:v1'), false);
  });

  it('that the engine refuses to let go of are not said to be gone, and keep no other from going', async () => {
    await manyReleases();
    daemon.engine.controls.fail('releaseImage');

    assert.equal((await collect()).images.length, 1);

    assert.equal((await collect()).images.length, 1);
  });

  it('of a project are seen by those who see it', async () => {
    const [mine, theirs] = [await project(daemon), await project(daemon)];
    const { app } = await deployedApp(daemon, { project: mine });
    await deployedApp(daemon, { project: theirs });

    assert.deepEqual(
      (await list(user(daemon, 'viewer', [mine]).key)).map((image) => image.app),
      [app.reference],
    );
  });

  it('are an admin’s to collect', async () => {
    const { key } = user(daemon, 'member');

    assert.equal((await daemon.call('POST', '/api/images/collect', undefined, key)).status, 403);
    for (const query of ['?dry_run=0', '?dry_run=', '?dryrun=false']) {
      assert.equal((await daemon.call('POST', `/api/images/collect${query}`)).status, 400, query);
    }
  });

  it('cannot be asked for while the engine is away', async () => {
    await makeApp(daemon);
    daemon.engine.controls.setAvailable(false);

    assert.equal((await daemon.call('GET', '/api/images')).status, 503);
    assert.equal((await daemon.call('POST', '/api/images/collect?dry_run=false')).status, 503);
  });
});
