/** Releases on a whole instance: pushes with Docker, lists, deletions, collections and rollbacks. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Deployment } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { whyNoEngine } from '../../support/live-world.ts';
import { ReleaseSetup } from '../../support/release-setup.ts';
import { IS_LONG, inLong } from '../../support/tiers.ts';

const KEPT = 2;
const RELEASES = IS_LONG ? 10 : 5;

describe('releases on a live instance', { skip: whyNoEngine() ?? false }, () => {
  let ground: ReleaseSetup;
  before(async () => {
    ground = await ReleaseSetup.start(KEPT);
  });
  after(() => ground?.[Symbol.asyncDispose]());

  test(`are listed after pushes, and ${RELEASES} releases leave only the retained images on the engine`, {
    timeout: 300_000,
  }, async () => {
    const app = await ground.newApp('many');
    const deployments: Deployment[] = [];
    for (let number = 1; number <= RELEASES; number++) {
      deployments.push(await ground.release(app, `v${number}`, `many ${number}`));
    }
    for (const image of ground.built.values()) await ground.docker.getImage(image).remove({ force: true });
    ground.built.clear();

    // The registry reports the user of a push shortly after the tag exists.
    const listed = await until('all sizes are known, and who pushed', async () => {
      const releases = await ground.releasesOf(app);
      return releases.every((one) => one.bytes !== null && one.pushed_by !== null) ? releases : null;
    });
    await ground.instance.atRest(app);
    assert.deepEqual(
      listed.map(({ tag, live, deployment, pushed_by }) => [tag, live, deployment, pushed_by]),
      deployments.map(({ id, tag, live }, index) => [tag, index === RELEASES - 1 && live, id, 'admin']).reverse(),
    );
    assert.ok(listed.every((one) => (one.bytes ?? 0) > 300_000 && one.media_type?.includes('manifest')));
    // Draining releases keep their image until they are removed.
    const images = await until('the images of old releases are gone', async () => {
      await ground.instance.client.collectImages({ query: { dry_run: 'false' } });
      const named = await ground.imagesIn('shop/production/many');
      return named.length <= KEPT + 1 ? named : null;
    });
    assert.equal(images.length, KEPT + 1);
  });

  test('lose tags beyond the retention limit, and the collection frees their storage', {
    timeout: 120_000,
    ...inLong,
  }, async () => {
    const app = { project: 'shop', environment: 'production', app: 'many' };
    await ground.instance.client.patchSettings({ body: { registry: { keep_tags: 1 } } });

    const done = await ground.collect();

    await ground.instance.client.patchSettings({ body: { registry: { keep_tags: null } } });
    // The live release, and the possible rollback targets.
    const left = Array.from({ length: KEPT + 1 }, (_, index) => `v${RELEASES - index}`);
    assert.equal(done.tags.length, RELEASES - left.length);
    assert.ok(done.freed_bytes > done.tags.length * 300_000, String(done.freed_bytes));
    assert.deepEqual(
      (await ground.releasesOf(app)).map(({ tag }) => tag),
      left,
    );
    const { client } = ground.instance;
    await assert.rejects(client.deployApp({ params: app, query: {}, body: { tag: 'v1' } }), /has no image/);
  });

  test('are available for rollback after their tag moved and the engine lost the image', {
    timeout: 120_000,
  }, async () => {
    const app = await ground.newApp('moved');
    const first = await ground.release(app, 'latest', 'first');
    const second = await ground.release(app, 'latest', 'second');
    await ground.collect();
    await ground.instance.atRest(app);
    await ground.lose(first.digest ?? '');
    await assert.rejects(ground.docker.getImage(`${ground.host}/shop/production/moved@${first.digest}`).inspect(), {
      statusCode: 404,
    });
    assert.equal(await ground.answer(app), `${ground.run} second`);

    const back = (await ground.instance.client.rollbackApp({
      params: app,
      query: { wait: 'true' },
      body: { deployment: first.id },
    })) as Deployment;

    assert.deepEqual([back.status, back.error, back.digest], ['succeeded', null, first.digest]);
    assert.notEqual(second.digest, first.digest);
    assert.equal(await ground.answer(app), `${ground.run} first`);
  });

  test('are available for rollback after a promotion if the engine lost the image', {
    timeout: 180_000,
    ...inLong,
  }, async () => {
    const [origin, target] = [await ground.newApp('origin'), await ground.newApp('target')];
    await ground.release(origin, 'v1', 'promoted');
    const promoted = (await ground.instance.client.deployApp({
      params: target,
      query: { wait: 'true' },
      body: { from: 'shop/production/origin' },
    })) as Deployment;
    assert.deepEqual([promoted.status, promoted.error], ['succeeded', null]);
    await ground.release(target, 'v2', 'next');
    await ground.release(origin, 'v2', 'next of the origin');
    await Promise.all([origin, target].map((app) => ground.instance.atRest(app)));
    await ground.lose(promoted.digest ?? '');

    const back = (await ground.instance.client.rollbackApp({
      params: target,
      query: { wait: 'true' },
      body: { deployment: promoted.id },
    })) as Deployment;

    assert.deepEqual([back.status, back.error, back.digest], ['succeeded', null, promoted.digest]);
    assert.equal(await ground.answer(target), `${ground.run} promoted`);
  });

  test('are deleted by tag unless the tag is live', { timeout: 120_000 }, async () => {
    const app = await ground.newApp('deleted');
    await ground.release(app, 'v1', 'deleted');
    await ground.push(app, 'latest', 'deleted');
    await until('both are listed', async () => ((await ground.releasesOf(app)).length === 2 ? true : null));
    const live = await until('the app is at rest', async () => {
      const [newest] = (await ground.instance.client.listDeployments({ params: app, query: {} })) as Deployment[];
      return newest?.live ? newest.tag : null;
    });
    const other = live === 'v1' ? 'latest' : 'v1';

    await assert.rejects(ground.instance.client.deleteRelease({ params: { ...app, tag: live } }), /is live/);
    await ground.instance.client.deleteRelease({ params: { ...app, tag: other } });

    assert.deepEqual(
      (await ground.releasesOf(app)).map(({ tag }) => tag),
      [live],
    );
    await ground.push(app, other, 'deleted');
    await until('it is back', async () => ((await ground.releasesOf(app)).length === 2 ? true : null));
  });
});
