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

  it('are listed with their app, their size and the reason for keeping', async () => {
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

  it('are not removed by a dry run, the default of a collection', async () => {
    await manyReleases();
    const before = await list();

    const [silent, dry] = [await collect(''), await collect('?dry_run=true')];

    assert.deepEqual(silent, dry);
    assert.equal(dry.dry_run, true);
    assert.deepEqual(await list(), before);
  });

  it('are removed together with their pulled names if no release needs the images', async () => {
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

  it('keep an image name that a user pulled before Davit', async () => {
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

  it('keep their pulled names if forget_pulled is disabled', async () => {
    await manyReleases();
    await daemon.call('PATCH', '/api/settings', { images: { forget_pulled: false } });

    assert.deepEqual((await collect()).names, []);

    assert.equal(await here('example/web:v1'), true);
  });

  it('keep a pulled name that now refers to another image', async () => {
    await manyReleases();
    daemon.engine.controls.addImage('example/web:v1');

    await collect();

    assert.equal(await here('example/web:v1'), true);
  });

  it('are kept during a rollback to their deployment', async () => {
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

  it('lose the record of a failed pull during a collection', async () => {
    const app = await makeApp(daemon);
    daemon.engine.controls.fail('pullImage');
    await deploy(app, 'v1');
    assert.equal(allPulledImages(daemon.core.store).length, 1);

    await collect();

    assert.deepEqual(allPulledImages(daemon.core.store), []);
  });

  it('lose the name of a pull interrupted by a crash during a collection', async () => {
    const { store, now } = daemon.core;
    const { id } = daemon.engine.controls.addImage('example/web:v1');
    store.tx((tx) => recordPulled(tx, { reference: 'example/web:v1', image_id: id }, now()));

    assert.deepEqual((await collect()).names, ['example/web:v1']);

    assert.equal(await here('example/web:v1'), false);
  });

  it('are removed after the deletion of their app', async () => {
    const { app } = await deployedApp(daemon);

    await daemon.call('DELETE', `/api/apps/${app.reference}`);
    await collect();

    assert.deepEqual(await list(), []);
    assert.equal(await here('example/web:v1'), false);
  });

  it('are not reported as removed if the engine refuses, without blocking other images', async () => {
    await manyReleases();
    daemon.engine.controls.fail('releaseImage');

    assert.equal((await collect()).images.length, 1);

    assert.equal((await collect()).images.length, 1);
  });

  it('are listed only for users with access to their project', async () => {
    const [mine, theirs] = [await project(daemon), await project(daemon)];
    const { app } = await deployedApp(daemon, { project: mine });
    await deployedApp(daemon, { project: theirs });

    assert.deepEqual(
      (await list(user(daemon, 'viewer', [mine]).key)).map((image) => image.app),
      [app.reference],
    );
  });

  it('are collected only by an admin and only with valid query parameters', async () => {
    const { key } = user(daemon, 'member');

    assert.equal((await daemon.call('POST', '/api/images/collect', undefined, key)).status, 403);
    for (const query of ['?dry_run=0', '?dry_run=', '?dryrun=false']) {
      assert.equal((await daemon.call('POST', `/api/images/collect${query}`)).status, 400, query);
    }
  });

  it('return status 503 while the engine is unavailable', async () => {
    await makeApp(daemon);
    daemon.engine.controls.setAvailable(false);

    assert.equal((await daemon.call('GET', '/api/images')).status, 503);
    assert.equal((await daemon.call('POST', '/api/images/collect?dry_run=false')).status, 503);
  });
});
