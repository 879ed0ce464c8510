/** Releases on a whole instance: pushes with Docker, lists, deletions, collections and rollbacks. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Deployment } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { whyNoEngine } from '../../support/live-harness.ts';
import { ReleaseSetup } from '../../support/release-setup.ts';
import { IS_LONG, inLong } from '../../support/tiers.ts';

const KEPT = 2;
const RELEASES = IS_LONG ? 10 : 5;

describe('releases on a live instance', { skip: whyNoEngine() ?? false }, () => {
  let setup: ReleaseSetup;
  before(async () => {
    setup = await ReleaseSetup.start(KEPT);
  });
  after(() => setup?.[Symbol.asyncDispose]());

  test(`are listed after pushes, and ${RELEASES} releases leave only the retained images on the engine`, async () => {
    const app = await setup.newApp('many');
    const deployments: Deployment[] = [];
    for (let number = 1; number <= RELEASES; number++) {
      deployments.push(await setup.release(app, `v${number}`, `many ${number}`));
    }
    for (const image of setup.built.values()) await setup.docker.getImage(image).remove({ force: true });
    setup.built.clear();

    // The registry reports the user of a push shortly after the tag exists.
    const listed = await until('all sizes are known, and who pushed', async () => {
      const releases = await setup.releasesOf(app);
      return releases.every((one) => one.bytes !== null && one.pushed_by !== null) ? releases : null;
    });
    await setup.instance.atRest(app);
    assert.deepEqual(
      listed.map(({ tag, live, deployment, pushed_by }) => [tag, live, deployment, pushed_by]),
      deployments.map(({ id, tag, live }, index) => [tag, index === RELEASES - 1 && live, id, 'admin']).reverse(),
    );
    assert.ok(listed.every((one) => (one.bytes ?? 0) > 300_000 && one.media_type?.includes('manifest')));
    // Draining releases keep their image until they are removed.
    const images = await until('the images of old releases are gone', async () => {
      await setup.instance.client.collectImages({ query: { dry_run: 'false' } });
      const named = await setup.imagesIn('shop/production/many');
      return named.length <= KEPT + 1 ? named : null;
    });
    assert.equal(images.length, KEPT + 1);
  });

  test('lose tags beyond the retention limit, and the collection frees their storage', inLong, async () => {
    const app = { project: 'shop', environment: 'production', app: 'many' };
    await setup.instance.client.patchSettings({ body: { registry: { keep_tags: 1 } } });

    const done = await setup.collect();

    await setup.instance.client.patchSettings({ body: { registry: { keep_tags: null } } });
    // The live release, and the possible rollback targets.
    const left = Array.from({ length: KEPT + 1 }, (_, index) => `v${RELEASES - index}`);
    assert.equal(done.tags.length, RELEASES - left.length);
    assert.ok(done.freed_bytes > done.tags.length * 300_000, String(done.freed_bytes));
    assert.deepEqual(
      (await setup.releasesOf(app)).map(({ tag }) => tag),
      left,
    );
    const { client } = setup.instance;
    await assert.rejects(client.deployApp({ params: app, query: {}, body: { tag: 'v1' } }), /has no image/);
  });

  test('are available for rollback after their tag moved and the engine lost the image', async () => {
    const app = await setup.newApp('moved');
    const first = await setup.release(app, 'latest', 'first');
    const second = await setup.release(app, 'latest', 'second');
    await setup.collect();
    await setup.instance.atRest(app);
    await setup.lose(first.digest ?? '');
    await assert.rejects(setup.docker.getImage(`${setup.host}/shop/production/moved@${first.digest}`).inspect(), {
      statusCode: 404,
    });
    assert.equal(await setup.answer(app), `${setup.run} second`);

    const back = (await setup.instance.client.rollbackApp({
      params: app,
      query: { wait: 'true' },
      body: { deployment: first.id },
    })) as Deployment;

    assert.deepEqual([back.status, back.error, back.digest], ['succeeded', null, first.digest]);
    assert.notEqual(second.digest, first.digest);
    assert.equal(await setup.answer(app), `${setup.run} first`);
  });

  test('are available for rollback after a promotion if the engine lost the image', inLong, async () => {
    const [origin, target] = [await setup.newApp('origin'), await setup.newApp('target')];
    await setup.release(origin, 'v1', 'promoted');
    const promoted = (await setup.instance.client.deployApp({
      params: target,
      query: { wait: 'true' },
      body: { from: 'shop/production/origin' },
    })) as Deployment;
    assert.deepEqual([promoted.status, promoted.error], ['succeeded', null]);
    await setup.release(target, 'v2', 'next');
    await setup.release(origin, 'v2', 'next of the origin');
    await Promise.all([origin, target].map((app) => setup.instance.atRest(app)));
    await setup.lose(promoted.digest ?? '');

    const back = (await setup.instance.client.rollbackApp({
      params: target,
      query: { wait: 'true' },
      body: { deployment: promoted.id },
    })) as Deployment;

    assert.deepEqual([back.status, back.error, back.digest], ['succeeded', null, promoted.digest]);
    assert.equal(await setup.answer(target), `${setup.run} promoted`);
  });

  test('are deleted by tag unless the tag is live', async () => {
    const app = await setup.newApp('deleted');
    await setup.release(app, 'v1', 'deleted');
    await setup.push(app, 'latest', 'deleted');
    await until('both are listed', async () => ((await setup.releasesOf(app)).length === 2 ? true : null));
    const live = await until('the app is at rest', async () => {
      const [newest] = (await setup.instance.client.listDeployments({ params: app, query: {} })) as Deployment[];
      return newest?.live ? newest.tag : null;
    });
    const other = live === 'v1' ? 'latest' : 'v1';

    await assert.rejects(setup.instance.client.deleteRelease({ params: { ...app, tag: live } }), /is live/);
    await setup.instance.client.deleteRelease({ params: { ...app, tag: other } });

    assert.deepEqual(
      (await setup.releasesOf(app)).map(({ tag }) => tag),
      [live],
    );
    await setup.push(app, other, 'deleted');
    await until('it is back', async () => ((await setup.releasesOf(app)).length === 2 ? true : null));
  });
});
