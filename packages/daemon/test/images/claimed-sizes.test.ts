/** Sizes in a pushed manifest, which the registry does not verify. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RegistryClient } from '../../src/adapters/registry/distribution/client.ts';
import { FakeRegistry, sha256 } from '../support/fake-registry.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;
const digest = (of: string) => `sha256:${of.repeat(64)}`;

const INDEX_TYPE = 'application/vnd.oci.image.index.v1+json';

/** Adds an index of manifests. @returns its digest */
function addIndex(registry: FakeRegistry, tag: string, children: readonly string[]): string {
  const manifests = children.map((digest) => ({ mediaType: INDEX_TYPE, digest, size: 1 }));
  const body = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: INDEX_TYPE, manifests }));
  for (const reference of [tag, sha256(body)]) registry.put(`shop/web/manifests/${reference}`, body, INDEX_TYPE);
  return sha256(body);
}

describe('the size of an image index', () => {
  it('is the sum of its images, also in nested indexes, with each layer counted once', async () => {
    await using registry = await FakeRegistry.start();
    const [one, two] = ['x'.repeat(100), 'y'.repeat(1_000)].map(
      (content) => registry.add('shop/web', content.slice(0, 1), content).digest,
    );
    const inner = addIndex(registry, 'inner', [one ?? '', two ?? '']);
    addIndex(registry, 'v1', [inner, one ?? '', digest('a')]);
    const client = new RegistryClient({ url: () => `http://${registry.host}` });

    const bytes = async (tag: string) => (await client.manifest('shop/web', tag))?.bytes;
    // Both images have the same configuration with two bytes. The registry does not have the image `digest('a')`.
    assert.deepEqual([await bytes('inner'), await bytes('v1')], [1_102, 1_102]);
  });

  it('is read from at most 64 manifests, also in nested indexes', async () => {
    await using registry = await FakeRegistry.start();
    let below = registry.add('shop/web', 'image', 'x').digest;
    for (let depth = 0; depth < 100; depth += 1) below = addIndex(registry, `depth-${depth}`, [below]);
    const client = new RegistryClient({ url: () => `http://${registry.host}` });

    assert.equal((await client.manifest('shop/web', 'depth-99'))?.bytes, 0);
    assert.equal(registry.requests.length, 65);
  });
});

describe('sizes in an image manifest', () => {
  for (const [size, counted] of [
    [7, 9],
    [0, 2],
    [LARGEST, LARGEST],
    [2 ** 63, 2],
    [1e300, 2],
    [-1, 2],
    [1.5, 2],
    ['7', 2],
    [null, 2],
  ] as const) {
    it(`are counted up to the maximum safe integer, and invalid sizes as zero: ${size}`, async () => {
      await using registry = await FakeRegistry.start();
      registry.add('shop/web', 'v1', 'x', { layers: [{ digest: digest('a'), size }] });
      const client = new RegistryClient({ url: () => `http://${registry.host}` });

      assert.equal((await client.manifest('shop/web', 'v1'))?.bytes, counted);
    });
  }
});
