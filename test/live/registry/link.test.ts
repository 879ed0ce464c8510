/** An image of one repository becomes an image of another repository in a real registry. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { RegistryClient } from '../../../packages/daemon/src/adapters/registry/distribution/client.ts';
import { linkImage } from '../../../packages/daemon/src/adapters/registry/distribution/link.ts';
import { RegistryUnavailable } from '../../../packages/daemon/src/adapters/registry/registry.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { OpenRegistry } from '../../support/open-registry.ts';

const FROM = 'alpha/staging/site';
const TO = 'alpha/production/site';

describe('linkImage', { skip: whyNoEngine() ?? false, concurrency: 1 }, () => {
  let registry: OpenRegistry;
  let client: RegistryClient;
  before(async () => {
    registry = await OpenRegistry.start();
    client = new RegistryClient({ url: () => registry.url });
  });
  after(() => registry?.[Symbol.asyncDispose]());

  it('links an image with its layers without other images or tags, also repeatedly', async () => {
    const wanted = await registry.push(FROM, 'v1', randomBytes(64));
    const other = await registry.push(FROM, 'v2', randomBytes(64));

    for (let i = 0; i < 2; i += 1)
      assert.equal(await linkImage(client, { digest: wanted.digest, from: FROM, to: TO }), true);

    assert.equal(await registry.pull(TO, wanted.digest), 200);
    assert.equal(await registry.pull(TO, other.digest), 404);
    assert.deepEqual(await client.tags(TO), []);
    assert.equal(await registry.pull(FROM, 'v1'), 200);
  });

  it('links an index with all its images', async () => {
    const { digest, images } = await registry.pushIndex(FROM, 'all', [randomBytes(64), randomBytes(64)]);

    assert.equal(await linkImage(client, { digest, from: FROM, to: TO }), true);

    for (const one of [digest, ...images]) assert.equal(await registry.pull(TO, one), 200);
  });

  it('returns false for an image that does not exist', async () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    assert.equal(await linkImage(client, { digest, from: FROM, to: TO }), false);
    assert.equal(await linkImage(client, { digest, from: 'no/such/app', to: TO }), false);
  });

  it('fails while the registry is read-only and succeeds afterwards', async () => {
    const { digest } = await registry.push(FROM, 'v3', randomBytes(64));
    await registry.replace({ readOnly: true });
    await assert.rejects(linkImage(client, { digest, from: FROM, to: TO }), RegistryUnavailable);
    await registry.replace({ readOnly: false });
    assert.equal(await linkImage(client, { digest, from: FROM, to: TO }), true);
    assert.equal(await registry.pull(TO, digest), 200);
  });
});
