import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { digestOf, FakeImages, type MadeImage, makeImage } from '../../../../test/support/fake-images.ts';
import { ManifestTree } from './manifest-tree.ts';
import { demandPossession, type Possession } from './possession.ts';
import type { RemoteRegistry } from './remote-registry.ts';
import { demandOneOf } from './whole-image.ts';

const CONTENTS = ['the lowest layer', 'a layer above it'];
const signal = new AbortController().signal;

/** State at the end of a pull. */
interface Ending {
  /** Digest of the manifest. */
  root: string;
  imageId: string;
  /** Digests of the manifests that the engine requested. Default: none, because the engine had cached them. */
  requested?: string[];
  /**
   * Digests of the layers and configurations that the engine downloaded. Default: none, because the engine already had
   * them.
   */
  sent?: string[];
  possession?: Possession;
}

const forgetful: Possession = { isKnownBlob: () => false, isKnownImage: () => false, remember: () => undefined };

async function check(registry: FakeImages, { root, imageId, requested = [], sent = [], ...given }: Ending) {
  const tree = new ManifestTree(registry as unknown as RemoteRegistry, root);
  for (const digest of requested) await tree.readForEngine(digest, signal);
  await demandPossession({
    registry: { blob: async (digest) => (await registry.open(digest, signal)) as unknown as IncomingMessage },
    session: { tree, sent: new Set(sent) },
    repository: 'registry.invalid/acme/web',
    digest: root,
    image: { id: imageId, sizeBytes: 1000 },
    possession: given.possession ?? forgetful,
    signal,
  });
}

const twice = (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 3), bytes.subarray(3)].map((part) => gzipSync(part)));
const skipped = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 7]);
const refused = { name: 'RemoteProblem', code: 'registry_answer_invalid' };

describe('demandPossession for an image that the engine already had', () => {
  for (const [how, compress] of [
    ['that are not compressed', (bytes: Buffer) => bytes],
    ['compressed with gzip', gzipSync],
    ['compressed as two gzip members', twice],
    ['compressed with Zstandard', zstdCompressSync],
    [
      'compressed with Zstandard after a skippable frame',
      (bytes: Buffer) => Buffer.concat([skipped, zstdCompressSync(bytes)]),
    ],
  ] as [string, (bytes: Buffer) => Buffer][]) {
    it(`accepts an image with layers ${how}`, async () => {
      const registry = new FakeImages();
      const made = makeImage(CONTENTS, compress);
      const root = registry.image(made);

      await check(registry, { root, imageId: made.id });

      assert.deepEqual(registry.opened, [made.config, ...made.layers].map(digestOf));
    });
  }

  const made = makeImage(CONTENTS);
  const [lower, upper] = made.layers as [Buffer, Buffer];
  const junk = ['junk', 'more junk'].map((text) => gzipSync(text));
  for (const [what, layers] of [
    ['without layers', []],
    ['with the same number of other layers', junk],
    ['with an additional layer', [lower, upper, lower]],
    ['with a missing layer', [lower]],
    ['with its layers in another order', [upper, lower]],
    ['with one layer twice', [lower, lower]],
    ['with a truncated layer', [lower, upper.subarray(0, -4)]],
    ['with additional data after a layer', [lower, Buffer.concat([upper, Buffer.from('x'.repeat(1_000_000))])]],
    ['with empty layers', [Buffer.alloc(0), Buffer.alloc(0)]],
    ['with very short layers', [Buffer.from([0x1f]), Buffer.from([0x28, 0xb5])]],
  ] as [string, Buffer[]][]) {
    it(`refuses the engine’s image if pulled ${what}`, async () => {
      const registry = new FakeImages();
      const root = registry.image({ config: made.config, layers });

      await assert.rejects(check(registry, { root, imageId: made.id }), refused);
    });
  }

  it('refuses an image if the registry lacks a layer or the configuration', async () => {
    for (const has of [[], [made.config], [made.config, lower]]) {
      const registry = new FakeImages();
      const root = registry.image(made, has);
      await assert.rejects(check(registry, { root, imageId: made.id }), { ...refused, code: 'image_not_found' });
    }
  });

  for (const [what, text] of [
    ['names no layers', '{"os":"linux"}'],
    ['names its layers in a value that is not a list', '{"rootfs":{"diff_ids":null}}'],
    ['names layers without digests', '{"rootfs":{"diff_ids":["sha256:0"]}}'],
    ['contains the list of layers twice', '{"rootfs":{"diff_ids":[]},"rootfs":{"diff_ids":[]}}'],
    [
      'also contains the list of layers in different letter case',
      '{"rootfs":{"diff_ids":[]},"RootFS":{"diff_ids":[]}}',
    ],
    ['also contains an equal field name in different letter case', '{"rootfs":{"diff_ids":[],"diff_id\u017f":[]}}'],
    ['is not JSON', '{'],
    ['is too large', `{"rootfs":{"diff_ids":[]},"x":"${'x'.repeat(8 * 1024 * 1024)}"}`],
  ] as const) {
    it(`refuses an image if its configuration ${what}`, async () => {
      const registry = new FakeImages();
      const config = Buffer.from(text);
      const root = registry.image({ config, layers: [] });

      await assert.rejects(check(registry, { root, imageId: digestOf(config) }), refused);
    });
  }

  it('refuses an image that no manifest names', async () => {
    const registry = new FakeImages();
    await assert.rejects(check(registry, { root: registry.image(made), imageId: digestOf('other') }), refused);
  });

  it('refuses layers that are larger than the maximum', async () => {
    const registry = new FakeImages();
    const bomb = makeImage(['\0'.repeat(10_000_000), '\0'.repeat(10_000_000)]);
    const { image } = await registry.manifest(registry.image(bomb));
    const candidates = image === null ? [] : [image];
    const at = (maxBytes: number) => demandOneOf(candidates, { open: registry.open, maxBytes, signal });

    await assert.rejects(at(19_999_999), refused);
    assert.equal((await at(20_000_000)).length, 3);
  });

  it('rejects with the reason of the aborted signal', async () => {
    const stopping = new AbortController();
    const reason = new Error('stopping');
    const registry = new FakeImages();
    const { image } = await registry.manifest(registry.image(made));
    const open: FakeImages['open'] = async (digest, by) => {
      if (digest === digestOf(upper)) stopping.abort(reason);
      by.throwIfAborted();
      return registry.open(digest, by);
    };
    const candidates = image === null ? [] : [image];

    await assert.rejects(demandOneOf(candidates, { open, maxBytes: 1000, signal: stopping.signal }), reason);
  });

  it('accepts an image with another manifest of the same configuration in the registry', async () => {
    const registry = new FakeImages();
    const other = makeImage(CONTENTS, zstdCompressSync);
    const root = registry.index(registry.image(made, []), registry.image(other));

    await check(registry, { root, imageId: made.id });
  });

  it('downloads the image only once for each repository', async () => {
    const registry = new FakeImages();
    const root = registry.image(made);
    const known = new Set<string>();
    const possession: Possession = {
      isKnownBlob: () => false,
      isKnownImage: (repository, { digest, imageId }) => known.has(`${repository} ${digest} ${imageId}`),
      remember: (repository, { digest, imageId }, blobs) => {
        assert.deepEqual(blobs, [made.config, ...made.layers].map(digestOf));
        known.add(`${repository} ${digest} ${imageId}`);
      },
    };
    for (let times = 0; times < 2; times++) await check(registry, { root, imageId: made.id, possession });

    assert.equal(registry.opened.length, 3);
  });
});

describe('demandPossession after the engine downloaded the configuration', () => {
  const made = makeImage(CONTENTS);
  const [lower, upper] = made.layers.map(digestOf) as [string, string];
  const [config] = [made.id];

  it('accepts layers that the engine downloaded without downloading them again', async () => {
    const registry = new FakeImages();
    const root = registry.image(made);
    const possession = { ...forgetful, isKnownBlob: (_: string, digest: string) => digest === upper };

    await check(registry, { root, imageId: made.id, sent: [config, lower], possession });

    assert.deepEqual(registry.opened, [config]);
  });

  it('accepts an image of an index from which the engine requested a single image', async () => {
    const registry = new FakeImages();
    const used = registry.image(made);
    const root = registry.index(registry.image(makeImage(['other platform'])), used);

    await check(registry, { root, imageId: made.id, requested: [root, used], sent: [config, lower, upper] });

    assert.deepEqual(registry.opened, [config]);
  });

  it('refuses an image if the registry lacks a layer that the engine has', async () => {
    const registry = new FakeImages();
    const root = registry.image(made, [made.config]);

    const ending = { root, imageId: made.id, sent: [config, lower] };
    await assert.rejects(check(registry, ending), { ...refused, code: 'image_not_found' });
  });

  it('refuses an image if the engine cached its manifest, regardless of other manifests', async () => {
    for (const isMissing of [false, true]) {
      const registry = new FakeImages();
      const harmless = registry.image({ config: made.config, layers: [] });
      const forged = registry.image(made, [made.config]);
      const root = registry.index(harmless, forged);
      if (isMissing) registry.forget(forged);
      for (const requested of [[], [root], [root, harmless], [root, harmless, forged]])
        await assert.rejects(check(registry, { root, imageId: made.id, requested, sent: [config] }), (error: Error) =>
          /RemoteProblem/.test(error.name),
        );
    }
  });
});

describe('demandPossession for an image with the manifest’s ID', () => {
  const amd = makeImage(['for one processor']);
  const arm = makeImage(['for another one']);
  const all = (...images: MadeImage[]) =>
    images.flatMap(({ config, layers }) => [config, ...layers].map((bytes) => digestOf(bytes)));

  it('accepts an index if the registry has all images', async () => {
    const registry = new FakeImages();
    const root = registry.index(registry.image(amd), registry.image(arm));

    await check(registry, { root, imageId: root, sent: all(amd, arm) });

    assert.deepEqual(registry.opened, all(amd, arm));
  });

  it('refuses a requested image of another system if the registry lacks a layer', async () => {
    const registry = new FakeImages();
    const forged = registry.image({ ...arm, layers: [gzipSync('junk')] } as MadeImage);
    const root = registry.mixedIndex(registry.image(amd), forged);

    await check(registry, { root, imageId: root, sent: all(amd) });
    await assert.rejects(check(registry, { root, imageId: root, requested: [root, forged], sent: all(amd) }), refused);
  });

  it('refuses a wrong layer even after the engine downloaded all layers', async () => {
    const registry = new FakeImages();
    const forged = { ...arm, layers: [gzipSync('junk')] };
    const root = registry.index(registry.image(amd), registry.image(forged as MadeImage));
    await assert.rejects(check(registry, { root, imageId: root, sent: all(amd, forged) }), refused);

    const alone = registry.image(forged);
    await assert.rejects(check(registry, { root: alone, imageId: alone, sent: all(forged) }), refused);
  });
});
