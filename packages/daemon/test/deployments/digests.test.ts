/** Deployments of an image by its digest. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { Harness } from '../support/harness.ts';

async function published(settings: Parameters<typeof Harness.with>[0] = {}) {
  const harness = await Harness.with(settings);
  const { digest } = harness.engine.controls.addImage('acme/web:v1', { where: 'registry' });
  assert.ok(digest !== null);
  return { harness, digest };
}

test('an app deploys the image of its pinned digest, even after the tag moved to another image', async () => {
  const { harness, digest } = await published();
  await using _ = harness;
  harness.addApp('pinned', { tag: digest });
  harness.engine.controls.addImage('acme/web:v1', { where: 'registry' });

  const id = await harness.request({}, 'pinned');
  await harness.machine.settled();

  const { status, image, tag, digest: deployed } = harness.row(id);
  assert.deepEqual([status, image, tag, deployed], ['succeeded', `acme/web@${digest}`, digest, digest]);
});

test('a digest in a request replaces the pinned tag, and the plan names the digest', async () => {
  const { harness, digest } = await published({ tag: 'v1' });
  await using _ = harness;
  await harness.deploy('v1');
  const trigger = { kind: 'api', by: 'ada', via: 'api' } as const;

  const { changes } = await harness.machine.plan(harness.app(), { tag: digest, trigger });
  assert.deepEqual(changes, [`The tag changes from v1 to ${digest}.`]);
  assert.equal((await harness.deploy(digest)).status, 'succeeded');
  const again = await harness.machine.plan(harness.app(), { tag: digest, trigger });
  assert.deepEqual(again.changes, [`The digest ${digest} is deployed again.`]);
});

test('a digest of an image in the own registry is refused, because pushes are authorized by tag', async () => {
  const { harness, digest } = await published({ source: 'registry', image: null });
  await using _ = harness;

  await assert.rejects(harness.request({ tag: digest }), { code: 'conflict', message: /only by tag/ });
  assert.deepEqual(harness.statuses(), []);
});
