import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { digestOf, FakeImages, makeImage } from '../../../../test/support/fake-images.ts';
import type { BareEngine } from '../../engine/engine.ts';
import type { Image } from '../../engine/image.ts';
import type { StoredImages } from '../registry.ts';
import { OwnImages } from './own-images.ts';
import { PullsInProgress } from './pulls-in-progress.ts';

const signal = new AbortController().signal;
const refused = { name: 'RemoteProblem', code: 'registry_answer_invalid' };
const made = makeImage(['the lowest layer', 'a layer above it']);
const REPOSITORY = 'alpha/production/mine';

/** Creates a registry with one manifest, an engine that pulls the manifest, and a list of the engine's calls. */
function setup(layers: Buffer[], { isComplete = true, pulledId = made.id } = {}) {
  const registry = new FakeImages();
  const digest = registry.image({ config: made.config, layers });
  const pulls = new PullsInProgress();
  /** Ids of the images in the engine. */
  const has = new Set<string>();
  const calls: string[] = [];
  const known = new Set<string>();
  const readImages = async (): Promise<StoredImages> => {
    const { image } = await registry.manifest(digest);
    return { images: image === null ? [] : [{ ...image, mayRun: true }], isComplete };
  };
  const during = { pull: () => undefined as unknown };
  const engine = {
    findImageById: async (id: string) => (has.has(id) ? ({ id, sizeBytes: 1000 } as Image) : null),
    pullImage: async (name: string) => {
      calls.push(`pull ${name}`);
      during.pull();
      return { id: pulledId, sizeBytes: 1000 } as Image;
    },
    untagImage: async (name: string, id: string) => !!calls.push(`untag ${name} ${id}`),
  };
  const images = new OwnImages({
    engine: engine as unknown as BareEngine,
    own: {
      host: () => 'localhost:5000',
      readImages,
      openBlob: (_, blob, by) => registry.open(blob, by),
    },
    possession: {
      isKnownBlob: () => false,
      isKnownImage: (repository, { imageId }) => known.has(`${repository} ${imageId}`),
      remember: (repository, { imageId }) => known.add(`${repository} ${imageId}`),
    },
    pulls,
  });
  const reference = { host: 'localhost:5000', repository: REPOSITORY, tag: null, digest };
  const name = `localhost:5000/${REPOSITORY}@${digest}`;
  return { registry, pulls, has, calls, known, during, name, digest, pull: () => images.pull(reference, null, signal) };
}

describe('a pull from the instance’s own registry', () => {
  const junk = ['junk', 'more junk'].map((text) => gzipSync(text));

  it('reads no layers of an image that the engine does not have', async () => {
    for (const layers of [made.layers, junk]) {
      const { registry, pull } = setup(layers);
      assert.equal((await pull()).id, made.id);
      assert.deepEqual(registry.opened, []);
    }
  });

  it('reads the layers only once for an image that the engine has', async () => {
    const { registry, has, known, pull } = setup(made.layers);
    has.add(made.id);

    for (let times = 0; times < 2; times++) assert.equal((await pull()).id, made.id);

    assert.deepEqual(registry.opened, [made.config, ...made.layers].map(digestOf));
    assert.deepEqual([...known], [`own/${REPOSITORY} ${made.id}`]);
  });

  it('is refused without calling the engine if the layers do not match', async () => {
    for (const layers of [[], junk, made.layers.toReversed()]) {
      const { has, calls, known, pull } = setup(layers);
      has.add(made.id);

      await assert.rejects(pull(), refused);

      assert.deepEqual([calls, [...known]], [[], []]);
    }
  });

  it('removes the name of an image that another pull may have brought', async () => {
    for (const when of ['before', 'meanwhile', 'and ended']) {
      const { pulls, calls, during, name, pull } = setup(junk);
      const begin = () => pulls.begin((id) => id === made.id);
      if (when === 'before') begin();
      during.pull = () => {
        if (when === 'before') return;
        const other = begin();
        if (when === 'and ended') other[Symbol.dispose]();
      };

      await assert.rejects(pull(), refused, when);

      assert.deepEqual(calls, [`pull ${name}`, `untag ${name} ${made.id}`]);
    }
  });

  it('reads no layers because of another image’s pull or an earlier pull', async () => {
    const { pulls, registry, pull } = setup(junk);
    pulls.begin(() => true)[Symbol.dispose]();
    using _other = pulls.begin((id) => id !== made.id);

    assert.equal((await pull()).id, made.id);

    assert.deepEqual(registry.opened, []);
  });

  it('reads the layers if the repository does not contain all manifests', async () => {
    const whole = setup(made.layers, { isComplete: false });
    assert.equal((await whole.pull()).id, made.id);
    assert.equal(whole.registry.opened.length, 3);

    await assert.rejects(setup(junk, { isComplete: false }).pull(), refused);
  });

  it('reads the layers if the image ID is the manifest’s digest', async () => {
    for (const layers of [made.layers, junk]) {
      const { digest } = setup(layers);
      const { registry, calls, name, pull } = setup(layers, { pulledId: digest });
      if (layers === junk) await assert.rejects(pull(), refused);
      else assert.equal((await pull()).id, digest);
      assert.ok(registry.opened.length > 1);
      assert.equal(calls.includes(`untag ${name} ${digest}`), layers === junk);
    }
  });

  it('is refused if no manifest contains the pulled image’s ID', async () => {
    await assert.rejects(setup(made.layers, { pulledId: digestOf('other') }).pull(), refused);
  });
});
