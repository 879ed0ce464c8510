/** Tags of an app's image that Docker on the server already has. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { App, Deployment, LocalTag } from '@davit/api';
import { bootDaemon, deployedApp, app as makeApp, paramsOf, slug, type TestDaemon, user } from '@davit/testkit';
import { deploymentById } from '../../src/db/tables/deployment.ts';
import { recordPulled } from '../../src/db/tables/pulled-image.ts';

describe('local tags of an app', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  /** Adds images without a manifest digest, as `docker build` makes them. The first one is the oldest. */
  const build = (image: string, ...tags: string[]) =>
    tags.map((tag, at) =>
      daemon.engine.controls.addImage(`${image}:${tag}`, { digest: null, builtAt: at * 1_000, sizeBytes: 7 }),
    );
  const list = (app: App) => daemon.client.listLocalTags({ params: paramsOf(app) });
  const deploy = async (app: App, tag: string) => {
    const { text } = await daemon.call('POST', `/api/apps/${app.reference}/deploy?wait=true`, { tag });
    const { id, status } = JSON.parse(text) as Deployment;
    return { status, image_id: deploymentById(daemon.core.store, id)?.image_id };
  };
  const tagsOf = async (app: App) => (await list(app)).map(({ tag }) => tag);

  it('are the tags of images that were built on the server, newest first', async () => {
    const image = slug('hello');
    const [, newest] = build(image, '1.0', '1.1');
    build(`${image}-other`, '2.0');
    build(`${image}/below`, '3.0');
    const app = await makeApp(daemon, { image });

    const found = await list(app);

    assert.deepEqual(
      found.map(({ tag }) => tag),
      ['1.1', '1.0'],
    );
    const [first] = found;
    assert.deepEqual([first?.image_id, first?.bytes], [newest?.id, 7]);
    assert.equal(Date.parse(first?.built_at ?? ''), 1_000);
  });

  it('are sorted by name if the images are equally old, and can be deployed', async () => {
    const image = slug('hello');
    for (const tag of ['b', 'a']) build(image, tag);
    const app = await makeApp(daemon, { image });

    assert.deepEqual(await tagsOf(app), ['a', 'b']);
    const deployment = await daemon.client.deployApp({
      params: paramsOf(app),
      query: { wait: 'true' },
      body: { tag: 'b' },
    });
    assert.equal('status' in deployment && deployment.status, 'succeeded');
  });

  it('do not include an image that only another project pulled from a registry', async () => {
    const { app: theirs } = await deployedApp(daemon, { image: `acme/${slug('web')}`, tag: 'v1' });
    const mine = await makeApp(daemon, { image: theirs.image });

    assert.deepEqual([await tagsOf(theirs), await tagsOf(mine)], [['v1'], []]);
  });

  it('include a built image that another project has pushed and deployed', async () => {
    const image = slug('hello');
    const [built] = build(image, 'v3');
    const theirs = await makeApp(daemon, { source: 'registry', image: undefined });
    const digest = daemon.registry.push(theirs.reference, 'v3');
    const pushed = `localhost:${daemon.core.facts.ports.registry}/${theirs.reference}@${digest}`;
    await daemon.engine.nameImage(built?.id ?? '', pushed);
    assert.equal((await deploy(theirs, 'v3')).image_id, built?.id, 'they deploy the same image');
    const mine = await makeApp(daemon, { image });

    assert.deepEqual(await tagsOf(mine), ['v3']);
    const requests = daemon.engine.controls.count('findRemoteImage');
    assert.equal((await deploy(mine, 'v3')).status, 'succeeded');
    assert.equal(daemon.engine.controls.count('findRemoteImage'), requests, 'no registry is asked');
  });

  it('do not include an image that another project pulled under the same name, even without its digest', async () => {
    const image = slug('hello');
    const [pulled] = build(image, 'v1');
    daemon.core.store.tx((tx) =>
      recordPulled(tx, { reference: `${image}:v1`, image_id: pulled?.id ?? null }, Date.now()),
    );
    const app = await makeApp(daemon, { image });

    assert.deepEqual(await tagsOf(app), []);
  });

  it('do not include tags whose deployment always sends a request to the registry', async () => {
    const image = slug('hello');
    build(image, 'latest', 'v1');
    const [byDefault, always, missing] = [
      await makeApp(daemon, { image }),
      await makeApp(daemon, { image, pull: 'always' }),
      await makeApp(daemon, { image, pull: 'missing' }),
    ];

    assert.deepEqual(await tagsOf(byDefault), ['v1']);
    assert.deepEqual(await tagsOf(always), []);
    assert.deepEqual(await tagsOf(missing), ['v1', 'latest']);
  });

  it('are empty for an app whose images are pushed, and for platform images', async () => {
    const pushed = await makeApp(daemon, { source: 'registry', image: undefined });
    build(`localhost:${daemon.core.facts.ports.registry}/${pushed.reference}`, 'v1');
    build('davit/haproxy', 'v1');
    const reserved = await makeApp(daemon, { image: 'acme/reserved' });
    // The API refuses such an image name. An earlier version may have stored it.
    daemon.core.store.tx((tx) => {
      for (const table of ['apps', 'revisions'])
        tx.run(`UPDATE ${table} SET spec = replace(spec, '"acme/reserved"', '"docker.io/davit/haproxy"')`);
    });

    assert.deepEqual([await tagsOf(pushed), await tagsOf(reserved)], [[], []]);
  });

  it('are returned in pages of at most 100', async () => {
    const image = slug('hello');
    const all = Array.from({ length: 120 }, (_, at) => `v${at}`);
    build(image, ...all);
    const app = await makeApp(daemon, { image });
    const path = `/api/apps/${app.reference}/local-tags`;

    const first = await daemon.call('GET', `${path}?limit=100`);
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    const second = await daemon.call('GET', next);

    const seen = [first, second].flatMap(({ text }) => (JSON.parse(text) as LocalTag[]).map(({ tag }) => tag));
    assert.deepEqual(seen, all.toReversed());
    assert.equal(second.headers.get('link'), null);
    assert.deepEqual(await tagsOf(app), all.toReversed().slice(0, 50));
    assert.equal((await daemon.call('GET', `${path}?limit=101`)).status, 400);
  });

  it('are refused for a viewer, and hidden from users without access to the project', async () => {
    const app = await makeApp(daemon, { image: slug('hello') });
    const path = `/api/apps/${app.reference}/local-tags`;
    const stranger = await makeApp(daemon);

    const status = async (key: string) => (await daemon.call('GET', path, undefined, key)).status;
    assert.equal(await status(user(daemon, 'viewer').key), 403);
    assert.equal(await status(user(daemon, 'member', [stranger.project]).key), 404);
    assert.equal(await status(user(daemon, 'member', [app.project]).key), 200);
  });

  it('are unavailable while Docker does not respond', async () => {
    const app = await makeApp(daemon, { image: slug('hello') });
    daemon.engine.controls.setAvailable(false);
    const { status, text } = await daemon.call('GET', `/api/apps/${app.reference}/local-tags`);
    daemon.engine.controls.setAvailable(true);

    assert.equal(status, 503, text);
  });
});
