import assert from 'node:assert/strict';
import { EngineRefused, EngineUnavailable, ImageNotFound } from '../../src/adapters/engine/errors.ts';
import { heldTag } from '../../src/adapters/engine/names.ts';
import type { Stage } from './rig.ts';
import { codeOf, soon } from './rig.ts';

export const imagePromises: Record<string, (stage: Stage) => Promise<void>> = {
  'says its version and how large the machine is': async ({ engine }) => {
    const info = await engine.info();

    assert.ok(info.version.length > 0);
    assert.ok(info.cpus >= 1);
    assert.ok(info.memoryBytes > 2 ** 20);
  },

  'finds an image by its reference and by its id': async ({ engine, rig }) => {
    const image = await engine.findImage(rig.images.web);

    assert.match(image?.id ?? '', /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(image?.exposedPorts, [8080]);
    assert.equal(image?.hasHealthcheck, false);
    assert.equal((await engine.findImageById(image?.id ?? ''))?.id, image?.id);
  },

  'does not take an id, or a part of one, for the name of an image': async ({ engine, rig }) => {
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

  'says what an image exposes, lowest port first, and whether it has a healthcheck': async (stage) => {
    assert.deepEqual((await stage.image('twoPorts')).exposedPorts, [8080, 9090]);
    assert.equal((await stage.image('healthy')).hasHealthcheck, true);
  },

  'has null for an image that it does not have': async ({ engine }) => {
    assert.equal(await engine.findImage('davit-test/never-built:1'), null);
    assert.equal(await engine.findImageById(`sha256:${'0'.repeat(64)}`), null);
  },

  'says that a registry does not have an image, and names it': async ({ engine, rig }) => {
    await assert.rejects(engine.pullImage(rig.images.absent, null, soon()), (error) => {
      assert.equal(codeOf(error), 'image_not_found', String(error));
      assert.ok((error as Error).message.includes(rig.images.absent));
      return true;
    });
  },

  'asks a registry for an image without pulling it, and is told when there is none': async ({ engine, rig }) => {
    await assert.rejects(engine.findRemoteImage(rig.images.absent, null, soon()), (error) => {
      assert.equal(codeOf(error), 'image_not_found', String(error));
      assert.ok((error as Error).message.includes(rig.images.absent));
      return true;
    });
  },

  'rejects a pull with the reason of its signal': async ({ engine, rig }) => {
    const reason = new Error('called off');

    await assert.rejects(engine.pullImage(rig.images.absent, null, AbortSignal.abort(reason)), reason);
  },

  'holds an image by a tag of ours until it is released, however often either is asked': async (stage) => {
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

  'releases the tag of an image that an instance runs': async (stage) => {
    const { engine, rig } = stage;
    const tag = heldTag(rig.davitId, 'shop', 8);
    await engine.holdImage((await stage.image('web')).id, tag);
    await stage.running('web');

    await engine.releaseImage(tag);

    assert.deepEqual(await engine.heldImages(), []);
  },

  'refuses to hold or to release a tag that is not ours': async (stage) => {
    const { engine, rig } = stage;
    const image = await stage.image('web');

    await assert.rejects(engine.holdImage(image.id, 'davit-somebody/shop:1'), EngineRefused);
    await assert.rejects(engine.releaseImage(rig.images.web), EngineRefused);
    assert.equal((await engine.findImage(rig.images.web))?.id, image.id);
  },

  'does not hold an image that it does not have': async ({ engine, rig }) => {
    const tag = heldTag(rig.davitId, 'shop', 9);

    await assert.rejects(engine.holdImage(`sha256:${'0'.repeat(64)}`, tag), ImageNotFound);
  },

  'says what is behind the tags that it holds': async (stage) => {
    const { engine, rig } = stage;
    const image = await stage.image('web');
    const tag = heldTag(rig.davitId, 'shop', 10);
    await engine.holdImage(image.id, tag);

    assert.deepEqual(await engine.inspectHeld(), [{ tag, imageId: image.id, sizeBytes: image.sizeBytes }]);

    await engine.releaseImage(tag);
  },

  'takes away a name only while it means the image, and leaves the image its other names': async (stage) => {
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

  'names the images of databases that it can make, and refuses to make another': async ({ engine }) => {
    for (const made of await engine.madeImages()) assert.equal(made.reference, `davit/${made.engine}:${made.version}`);

    await assert.rejects(engine.makeImage('postgres', '0.1', soon()), EngineRefused);
    const reason = new Error('called off');
    await assert.rejects(engine.makeImage('redis', '7.0', AbortSignal.abort(reason)), reason);
  },

  'is unavailable, with what to do, when nothing answers': async ({ rig }) => {
    await using away = rig.unavailable();

    await assert.rejects(away.info(), EngineUnavailable);
    await assert.rejects(away.findImage(rig.images.web), EngineUnavailable);
    await assert.rejects(away.observe(), EngineUnavailable);
  },
};
