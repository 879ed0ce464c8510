/** Images of a private registry on a whole instance. The registry is real and requires authentication. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { ImageCollection, Registry } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { ACCOUNT, type LockedRegistry, lockedRegistry } from '../../support/locked-registry.ts';
import { inLong } from '../../support/tiers.ts';

describe('a private registry', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;
  let registry: LockedRegistry;
  let app: LiveApp;
  /** Names of images that a case created. */
  const names: string[] = [];

  before(async () => {
    registry = await lockedRegistry();
    harness = await LiveHarness.create();
    await list([registry.host]);
    await registry.push(`${harness.image}:v1`, 'acme/web', 'v1');
    await registry.push(`${harness.image}:v2`, 'acme/web', 'v2');
    app = await harness.app({ image: `${registry.host}/acme/web` });
  });
  after(async () => {
    await harness?.[Symbol.asyncDispose]();
    for (const name of names) await harness.docker.getImage(name).remove({ noprune: true });
    await registry?.[Symbol.asyncDispose]();
  });

  const list = (private_hosts: string[]) => harness.client.patchSettings({ body: { registries: { private_hosts } } });
  const add = (fields: object = {}) =>
    harness.client.addRegistry({
      query: {},
      body: { host: registry.host, ...ACCOUNT, ...fields },
    }) as Promise<Registry>;
  const has = async (reference: string) =>
    (await harness.docker.listImages()).some(({ RepoTags }) => RepoTags?.includes(reference));

  test('refuses pulls of an instance without credentials', async () => {
    const { status, error_code } = await app.deploy('v1');

    assert.deepEqual([status, error_code], ['failed', 'registry_unauthorized']);
  });

  test('is not used for a deployment unless an admin lists its host', async () => {
    await list([]);
    const { status, error, error_code } = await app.deploy('v1');
    await list([registry.host]);

    assert.deepEqual([status, error_code], ['failed', 'registry_not_public']);
    assert.match(error ?? '', /registries\.private_hosts/);
  });

  test('rejects a wrong password without quoting the password in the error', async () => {
    await assert.rejects(add({ password: 'not-the-password' }), (error: Error) => {
      assert.match(error.message, /does not accept these credentials/);
      assert.ok(!error.message.includes('not-the-password'));
      return true;
    });
    assert.deepEqual(await harness.client.listRegistries({ query: {} }), []);
  });

  test('serves images with stored credentials that appear in no file or container', async () => {
    const { checked_at } = await add();

    assert.equal(typeof checked_at, 'string');
    assert.equal((await app.deploy('v1')).status, 'succeeded');
    assert.match((await app.get()).text, /^v1 /);
    for (const file of ['davit.db', 'davit.db-wal', 'daemon.log', 'davit.log']) {
      const bytes = await readFile(join(harness.instance.dataDir, file)).catch(() => Buffer.alloc(0));
      assert.equal(bytes.includes(ACCOUNT.password), false, file);
    }
    const { Id } = await app.container();
    assert.ok(!JSON.stringify(await harness.docker.getContainer(Id).inspect()).includes(ACCOUNT.password));
  });

  test('leaves no image on the engine after image collection', async () => {
    await harness.client.patchSettings({ body: { images: { keep: 1 } } });
    for (const tag of ['v2', 'v1', 'v2']) assert.equal((await app.deploy(tag)).status, 'succeeded');
    await until(
      'one container is left',
      () => app.containers(),
      ({ length }) => length === 1,
    );
    await harness.client.deleteApp({ params: app.params });

    const dry = (await harness.client.collectImages({ query: {} })) as ImageCollection;
    assert.equal(dry.dry_run, true);
    const done = (await harness.client.collectImages({ query: { dry_run: 'false' } })) as ImageCollection;

    const host = registry.host.replace('127.0.0.1', 'localhost');
    assert.deepEqual(done.names.toSorted(), [`${host}/acme/web:v1`, `${host}/acme/web:v2`]);
    assert.deepEqual([await has(`${host}/acme/web:v1`), await has(`${host}/acme/web:v2`)], [false, false]);
    const digests = (await harness.docker.listImages()).flatMap(({ RepoDigests }) => RepoDigests ?? []);
    assert.deepEqual(
      digests.filter((name) => name.includes(`/davit-${harness.instance.id}/`)),
      [],
    );
    assert.equal(await has(`${harness.image}:v1`), true, 'the image with another name belongs to another program');
  });

  test('does not prevent other projects from using an image built on the server', async () => {
    const { docker } = harness;
    const local = `${harness.image}-pushed`;
    const pushed = `${registry.host}/acme/pushed`;
    const container = await docker.createContainer({ Image: `${harness.image}:v1` });
    await container.commit({ repo: local, tag: 'v1', changes: ['LABEL word=pushed'] });
    await container.remove();
    // The engine remembers the digest of the push as long as the image has a name of that repository.
    await docker.getImage(`${local}:v1`).tag({ repo: pushed, tag: 'kept' });
    names.push(`${pushed}:kept`, `${local}:v1`);
    await registry.push(`${local}:v1`, 'acme/pushed', 'v1');
    const { RepoDigests } = await docker.getImage(`${local}:v1`).inspect();
    assert.equal(RepoDigests.filter((name) => name.startsWith(`${pushed}@`)).length, 1);

    for (const _ of [1, 2, 3]) await harness.deployedApp({ project: await harness.project(), image: local });
  });

  test('provides the original image to a restarted app after the tag has moved', inLong, async () => {
    const own = `${registry.host}/acme/own`;
    const { Id: image } = await pushOwn(harness, registry, 'first');
    const started = await harness.deployedApp({ image: own }, 'latest');
    await harness.client.stopApp({ params: started.params, query: { wait: 'true' } });
    await harness.docker.getImage(image).remove({ force: true });
    await pushOwn(harness, registry, 'second');

    const record = await harness.client.startApp({ params: started.params, query: { wait: 'true' } });

    assert.deepEqual([record.status, record.error], ['succeeded', null]);
    assert.equal((await started.container()).ImageID, image);
    // Once the image is not needed, all its names are removed, because its name contains its digest.
    await harness.client.deleteApp({ params: started.params });
    await harness.client.collectImages({ query: { dry_run: 'false' } });
    await assert.rejects(harness.docker.getImage(image).inspect(), { statusCode: 404 });
  });
});

/** Pushes an image that shares no layers with others as `acme/own:latest`, and removes its name at the engine. */
async function pushOwn(
  { docker, image }: LiveHarness,
  registry: LockedRegistry,
  word: string,
): Promise<{ Id: string }> {
  const container = await docker.createContainer({ Image: `${image}:v1` });
  const name = `davit-test/own-${word}`;
  await container.commit({ repo: name, tag: 'latest', changes: [`LABEL word=${word}`] });
  await container.remove();
  const { Id } = await docker.getImage(`${name}:latest`).inspect();
  await registry.push(`${name}:latest`, 'acme/own', 'latest');
  await docker.getImage(`${name}:latest`).remove();
  return { Id };
}
