/**
 * `docker image prune -a` removes every image that no container uses, including images held for rollbacks. The test
 * uses a separate engine.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '@davit/testkit/waiting';
import { LiveHarness } from '../../support/live-harness.ts';
import { PrivateEngine, whyNoPrivateEngine } from '../../support/private-engine.ts';
import { inLong } from '../../support/tiers.ts';

describe('an instance after docker image prune -a', { skip: whyNoPrivateEngine() ?? inLong.skip }, () => {
  let engine: PrivateEngine;
  let harness: LiveHarness;
  before(async () => {
    engine = await PrivateEngine.create({ liveRestore: true });
    harness = await LiveHarness.create({ place: engine });
  });
  after(async () => {
    try {
      // Its images are already removed, and all other objects are removed with the engine.
      await harness?.instance[Symbol.asyncDispose]();
    } finally {
      await engine?.[Symbol.asyncDispose]();
    }
  });

  test('reports releases without an image and keeps serving and deploying the app', async () => {
    const { client, docker } = harness;
    const app = await harness.deployedApp();
    const [first] = await client.listDeployments({ params: app.params });
    assert.equal((await app.deploy('v2')).status, 'succeeded');
    await until(
      'the first release has no container',
      () => app.containers(),
      (containers) => containers.length === 1,
    );

    await docker.pruneImages({ filters: { dangling: { false: true } } });
    await client.collectImages({ query: { dry_run: 'false' } });

    const missing = (await client.listImages()).filter((image) => image.missing);
    assert.deepEqual(
      missing.map(({ app: of, deployment, kept_for }) => [of, deployment, kept_for]),
      [[app.reference, first?.id, 'rollback']],
    );
    const { warnings } = await client.getInstance();
    assert.match(warnings.join('\n'), new RegExp(`image of 1 release, for example of deployment ${first?.id} of `));
    const rollback = client.rollbackApp({ params: app.params, body: { deployment: first?.id ?? 0 } });
    await assert.rejects(rollback, { status: 409 });
    assert.match((await app.get()).text, /^v2 /);
    // If an image in use has several tags, Docker keeps only one of the tags, which may be a tag other than v2.
    const { ImageID } = await app.container();
    await docker.getImage(ImageID).tag({ repo: harness.image, tag: 'v2' });
    const { status, error } = await app.deploy('v2');
    assert.deepEqual([status, error], ['succeeded', null]);
  });
});
