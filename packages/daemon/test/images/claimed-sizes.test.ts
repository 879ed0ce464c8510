/** Sizes in a pushed manifest, which the registry does not verify. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RegistryClient } from '../../src/adapters/registry/distribution/client.ts';
import { FakeRegistry } from '../support/fake-registry.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;
const digest = (of: string) => `sha256:${of.repeat(64)}`;

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
