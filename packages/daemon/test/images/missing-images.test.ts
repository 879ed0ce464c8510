/** Images of releases that were removed from the engine, with the simulated engine. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { App, Deployment, HeldImage } from '@davit/api';
import { bootDaemon, deployedApp, paramsOf, project, type TestDaemon, user } from '@davit/testkit';
import { deploymentById } from '../../src/db/tables/deployment.ts';

describe('a held image removed from the engine', () => {
  let daemon: TestDaemon;
  beforeEach(async () => {
    daemon = await bootDaemon();
  });
  afterEach(() => daemon[Symbol.asyncDispose]());

  const read = async <T>(path: string, key = daemon.key) => {
    const { status, text } = await daemon.call('GET', path, undefined, key);
    assert.equal(status, 200, text);
    return JSON.parse(text) as T;
  };
  const pass = () => daemon.call('POST', '/api/images/collect?dry_run=false');
  const deploy = (app: App, tag: string) => daemon.call('POST', `/api/apps/${app.reference}/deploy?wait=true`, { tag });
  const missing = async (id: number) =>
    (await read<Deployment[]>('/api/deployments')).find((one) => one.id === id)?.image_missing;
  const warnings = async (key = daemon.key) =>
    (await read<{ warnings: string[] }>('/api/instance', key)).warnings.filter((text) => /no longer has/.test(text));
  const rollback = (app: App, deployment: number) =>
    daemon.call('POST', `/api/apps/${app.reference}/rollback?wait=true`, { deployment });
  const remove = (id: number) =>
    daemon.engine.controls.removeImage(deploymentById(daemon.core.store, id)?.image_id ?? '');

  /** Returns an app with the releases v1 and v2. The image of v1 was built at the engine. */
  async function builtHere(slug?: string) {
    daemon.engine.controls.addImage('example/web:v1', { digest: null });
    const { app, deployment } = await deployedApp(daemon, slug === undefined ? {} : { project: slug });
    await deploy(app, 'v2');
    return { app, deployment };
  }

  it('is reported in the deployment, the image list and a warning until loaded again', async () => {
    const { app, deployment } = await builtHere();
    await pass();
    assert.deepEqual([await missing(deployment.id), await warnings()], [null, []]);
    const load = remove(deployment.id);

    await pass();
    await pass();

    const noted = await missing(deployment.id);
    assert.equal(noted?.pulled_again, false);
    const listed = (await read<HeldImage[]>('/api/images')).filter((image) => image.missing);
    assert.deepEqual(
      listed.map((image) => [image.app, image.deployment, image.size_bytes, image.kept_for]),
      [[app.reference, deployment.id, 0, 'rollback']],
    );
    const [warning, ...others] = await warnings();
    assert.match(warning ?? '', new RegExp(`image of 1 release, for example of deployment ${deployment.id} of `));
    assert.match(warning ?? '', /Load the image into Docker again/);
    assert.deepEqual(others, []);
    const refused = await rollback(app, deployment.id);
    assert.equal(refused.status, 409, refused.text);

    load();
    // An image that a user loads does not have Davit's tag.
    for (const tag of await daemon.engine.heldImages()) {
      if (tag.endsWith(`:${deployment.id}`)) await daemon.engine.releaseImage(tag);
    }
    daemon.engine.controls.fail('holdImage');
    assert.equal(
      (await pass()).status,
      200,
      'an engine that refuses the tag keeps no other image from being looked at',
    );
    await pass();

    assert.deepEqual([await missing(deployment.id), await warnings()], [null, []]);
    const tags = (await daemon.engine.heldImages()).filter((tag) => tag.endsWith(`:${deployment.id}`));
    assert.equal(tags.length, 1, 'it is held again');
    assert.equal(JSON.parse((await rollback(app, deployment.id)).text).status, 'succeeded');
  });

  it('is pulled again by its digest for a rollback', async () => {
    const { app, deployment } = await deployedApp(daemon);
    await deploy(app, 'v2');
    remove(deployment.id);
    await pass();
    assert.equal((await missing(deployment.id))?.pulled_again, true);
    assert.match((await warnings()).join('\n'), /A rollback works only if the registry still has the image/);
    // The tag now means another image.
    daemon.engine.controls.addImage('example/web:v1', { where: 'registry' });

    const back = JSON.parse((await rollback(app, deployment.id)).text) as Deployment;

    assert.deepEqual([back.status, back.digest], ['succeeded', deployment.digest]);
    await pass();
    assert.deepEqual([await missing(deployment.id), await warnings()], [null, []]);
  });

  it('fails a rollback and keeps the live release if no registry has the digest', async () => {
    const { app, deployment } = await deployedApp(daemon);
    await deploy(app, 'v2');
    remove(deployment.id);
    daemon.engine.controls.forgetImage('example/web:v1');
    daemon.engine.controls.forgetImage(`example/web@${deployment.digest}`);

    const back = JSON.parse((await rollback(app, deployment.id)).text) as Deployment;

    assert.deepEqual([back.status, back.error_code], ['failed', 'image_not_found']);
    const live = await daemon.client.getApp({ params: paramsOf(app) });
    assert.equal(live.live_deployment, deployment.id + 1);
  });

  it('is not reported as missing if a collection has released the image', async () => {
    await daemon.call('PATCH', '/api/settings', { images: { keep: 1 } });
    const { app, deployment } = await deployedApp(daemon);
    for (const tag of ['v2', 'v3', 'v4']) await deploy(app, tag);
    await daemon.settled();
    await pass();
    const tags = await daemon.engine.heldImages();
    assert.equal(
      tags.some((tag) => tag.endsWith(`:${deployment.id}`)),
      false,
      'the image of v1 is released',
    );

    await daemon.call('PATCH', '/api/settings', { images: { keep: 10 } });
    await pass();

    assert.deepEqual([await missing(deployment.id), await warnings()], [null, []]);
  });

  it('is no longer reported after no release needs the image', async () => {
    const { app, deployment } = await builtHere();
    remove(deployment.id);
    await pass();
    assert.equal((await warnings()).length, 1);

    await daemon.call('PATCH', '/api/settings', { images: { keep: 1 } });
    await deploy(app, 'v3');
    await pass();

    assert.deepEqual([await missing(deployment.id), await warnings()], [null, []]);
  });

  it('is reported although an earlier version recorded no hold', async () => {
    const { deployment } = await builtHere();
    daemon.core.store.tx((tx) => tx.run('UPDATE deployments SET image_held = 0'));
    await pass();
    remove(deployment.id);

    await pass();

    assert.equal((await missing(deployment.id))?.pulled_again, false);
  });

  it('is reported only to users with access to its project', async () => {
    const [mine, theirs] = [await project(daemon), await project(daemon)];
    const { deployment } = await builtHere(theirs);
    remove(deployment.id);
    await pass();

    const [own, other] = [user(daemon, 'admin', [theirs]).key, user(daemon, 'admin', [mine]).key];

    assert.deepEqual([(await warnings(own)).length, (await warnings(other)).length], [1, 0]);
    assert.deepEqual((await read<HeldImage[]>('/api/images', other)).length, 0);
  });
});
