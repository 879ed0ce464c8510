import assert from 'node:assert/strict';
import { EngineRefused, EngineUnavailable, ImageNotFound } from '../../src/adapters/engine/errors.ts';
import { heldTag } from '../../src/adapters/engine/names.ts';
import type { Stage } from './rig.ts';
import { codeOf, soon } from './rig.ts';

export const imagePromises: Record<string, (stage: Stage) => Promise<void>> = {
  'reports the engine version, CPU count and memory size of the server': async ({ engine }) => {
    const info = await engine.info();

    assert.ok(info.version.length > 0);
    assert.ok(info.cpus >= 1);
    assert.ok(info.memoryBytes > 2 ** 20);
  },

  'finds an image by reference and by ID': async ({ engine, rig }) => {
    const image = await engine.findImage(rig.images.web);

    assert.match(image?.id ?? '', /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(image?.exposedPorts, [8080]);
    assert.equal(image?.hasHealthcheck, false);
    assert.equal((await engine.findImageById(image?.id ?? ''))?.id, image?.id);
  },

  'does not accept an image ID or a part of an ID as image reference': async ({ engine, rig }) => {
    const { id = '' } = (await engine.findImage(rig.images.web)) ?? {};
    const hex = id.slice('sha256:'.length);

    for (const name of [id, `sha256:${hex.slice(0, 2)}`, `sha256:${hex.slice(0, 12)}`, hex, 'sha256']) {
      await assert.rejects(engine.findImage(name), EngineRefused, name);
      await assert.rejects(engine.pullImage(name, null, soon()), EngineRefused, name);
      await assert.rejects(engine.findRemoteImage(name, null, soon()), EngineRefused, name);
      await assert.rejects(engine.untagImage(name, id), EngineRefused, name);
    }
    // The engine interprets such a name as a repository with the tag `latest`.
    for (const name of [hex.slice(0, 12), hex.slice(0, 2)]) assert.equal(await engine.findImage(name), null, name);
    for (const part of [hex, hex.slice(0, 12), rig.images.web, `sha256:${hex.slice(0, 12)}`]) {
      await assert.rejects(engine.findImageById(part), EngineRefused, part);
    }
    assert.equal((await engine.findImage(rig.images.web))?.id, id);
  },

  'reports exposed ports of an image in ascending order and whether a healthcheck exists': async (stage) => {
    assert.deepEqual((await stage.image('twoPorts')).exposedPorts, [8080, 9090]);
    assert.equal((await stage.image('healthy')).hasHealthcheck, true);
  },

  'returns null for an image that the engine does not have': async ({ engine }) => {
    assert.equal(await engine.findImage('davit-test/never-built:1'), null);
    assert.equal(await engine.findImageById(`sha256:${'0'.repeat(64)}`), null);
  },

  'lists the tags of one repository and of no other': async (stage) => {
    const { engine, rig } = stage;
    const [web, crash] = [await stage.image('web'), await stage.image('crash')];
    const repository = `davit-test/tags-${rig.davitId}`;
    const names = [`${repository}:v1`, `${repository}:v2`, `${repository}-other:v3`, `${repository}/below:v4`];
    for (const name of names) await engine.nameImage(web.id, name);
    await engine.nameImage(crash.id, `${repository}:v5`);

    const found = await engine.localTags(`docker.io/${repository}`);
    for (const name of names) await engine.untagImage(name, web.id);
    await engine.untagImage(`${repository}:v5`, crash.id);

    const ids = found.map(({ tag, id }) => [tag, id]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
    assert.deepEqual(ids, [
      ['v1', web.id],
      ['v2', web.id],
      ['v5', crash.id],
    ]);
    for (const { builtAt, sizeBytes, digest, isFromGateway } of found) {
      assert.ok(builtAt <= Date.now() && Number.isInteger(builtAt), String(builtAt));
      assert.ok(sizeBytes > 0);
      assert.equal(isFromGateway, false);
      if (engine.kind === 'docker') assert.equal(digest, null, 'the images were built here');
    }
    assert.deepEqual(await engine.localTags(repository), []);
  },

  'refuses a text that is no image name when listing tags': async ({ engine }) => {
    for (const name of ['', 'a b', `sha256:${'0'.repeat(64)}`])
      await assert.rejects(engine.localTags(name), EngineRefused);
  },

  'reports image_not_found with the reference when pulling an image missing from the registry': async ({
    engine,
    rig,
  }) => {
    await assert.rejects(engine.pullImage(rig.images.absent, null, soon()), (error) => {
      assert.equal(codeOf(error), 'image_not_found', String(error));
      assert.ok((error as Error).message.includes(rig.images.absent));
      return true;
    });
  },

  'reports image_not_found with the reference when looking up an image missing from the registry': async ({
    engine,
    rig,
  }) => {
    await assert.rejects(engine.findRemoteImage(rig.images.absent, null, soon()), (error) => {
      assert.equal(codeOf(error), 'image_not_found', String(error));
      assert.ok((error as Error).message.includes(rig.images.absent));
      return true;
    });
  },

  'rejects an image pull with the reason of its aborted signal': async ({ engine, rig }) => {
    const reason = new Error('called off');

    await assert.rejects(engine.pullImage(rig.images.absent, null, AbortSignal.abort(reason)), reason);
  },

  'holds an image under a tag until its release and accepts repeated calls': async (stage) => {
    const { engine, rig } = stage;
    const image = await stage.image('web');
    const tag = heldTag(rig.davitId, 'team/production/shop', 7);

    await engine.holdImage(image.id, tag);
    await engine.holdImage(image.id, tag);
    assert.deepEqual(await engine.heldImages(), [tag]);
    assert.equal((await engine.findImage(tag))?.id, image.id);

    await engine.releaseImage(tag);
    await engine.releaseImage(tag);
    assert.deepEqual(await engine.heldImages(), []);
    assert.equal((await engine.findImage(rig.images.web))?.id, image.id);
  },

  'releases the tag of an image while a container runs the image': async (stage) => {
    const { engine, rig } = stage;
    const tag = heldTag(rig.davitId, 'shop', 8);
    await engine.holdImage((await stage.image('web')).id, tag);
    await stage.running('web');

    await engine.releaseImage(tag);

    assert.deepEqual(await engine.heldImages(), []);
  },

  'refuses to hold or release image tags outside this Davit instance’s namespace': async (stage) => {
    const { engine, rig } = stage;
    const image = await stage.image('web');

    await assert.rejects(engine.holdImage(image.id, 'davit-somebody/shop:1'), EngineRefused);
    await assert.rejects(engine.releaseImage(rig.images.web), EngineRefused);
    assert.equal((await engine.findImage(rig.images.web))?.id, image.id);
  },

  'refuses to hold an image that does not exist': async ({ engine, rig }) => {
    const tag = heldTag(rig.davitId, 'shop', 9);

    await assert.rejects(engine.holdImage(`sha256:${'0'.repeat(64)}`, tag), ImageNotFound);
  },

  'returns the image ID and size of each held tag': async (stage) => {
    const { engine, rig } = stage;
    const image = await stage.image('web');
    const tag = heldTag(rig.davitId, 'shop', 10);
    await engine.holdImage(image.id, tag);

    assert.deepEqual(await engine.inspectHeld(), [{ tag, imageId: image.id, sizeBytes: image.sizeBytes }]);

    await engine.releaseImage(tag);
  },

  'ignores a missing or mismatched tag when untagging an image and keeps other tags': async (stage) => {
    const { engine, rig } = stage;
    const image = await stage.image('web');
    // Any name works here. Names of this Davit instance can be created in the test.
    const [name, other] = [heldTag(rig.davitId, 'shop', 11), heldTag(rig.davitId, 'shop', 12)];
    await engine.holdImage(image.id, other);

    assert.equal(await engine.untagImage(rig.images.web, (await stage.image('crash')).id), true);
    assert.equal((await engine.findImage(rig.images.web))?.id, image.id);
    assert.equal(await engine.untagImage(name, image.id), true);

    assert.deepEqual(await engine.heldImages(), [other]);
    await engine.releaseImage(other);
  },

  'lists the database images available to build and refuses to build an unsupported version': async ({ engine }) => {
    for (const made of await engine.madeImages()) assert.equal(made.reference, `davit/${made.engine}:${made.version}`);

    await assert.rejects(engine.makeImage('postgres', '0.1', soon()), EngineRefused);
    const reason = new Error('called off');
    await assert.rejects(engine.makeImage('redis', '7.0', AbortSignal.abort(reason)), reason);
  },

  'rejects calls with EngineUnavailable if the engine does not respond': async ({ rig }) => {
    await using away = rig.unavailable();

    await assert.rejects(away.info(), EngineUnavailable);
    await assert.rejects(away.findImage(rig.images.web), EngineUnavailable);
    await assert.rejects(away.observe(), EngineUnavailable);
  },
};
