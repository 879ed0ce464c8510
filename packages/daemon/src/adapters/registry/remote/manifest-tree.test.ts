import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { demandReadable } from './manifest.ts';
import { ManifestTree } from './manifest-tree.ts';
import { RemoteProblem } from './problem.ts';
import type { Manifest, RemoteRegistry } from './remote-registry.ts';

const IMAGE = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';
const signal = new AbortController().signal;

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

const blob = (name: string) => ({ digest: digestOf(name), size: 2 });
const image = (name: string, layer = `layer ${name}`) =>
  JSON.stringify({ mediaType: IMAGE, config: blob(name), layers: [blob(layer)] });
const entry = (text: string, os?: string) => ({ digest: digestOf(text), size: 2, platform: { os } });
const index = (...manifests: object[]) => JSON.stringify({ mediaType: INDEX, manifests });

function treeOf(root: string, others: string[]): ManifestTree {
  const texts = new Map([root, ...others].map((text) => [digestOf(text), text]));
  const registry = {
    manifest: async (digest: string) => {
      const text = texts.get(digest);
      if (text === undefined) throw new RemoteProblem('image_not_found', 'there is none');
      const bytes = Buffer.from(text);
      return { bytes, ...demandReadable(bytes, undefined) };
    },
  };
  return new ManifestTree(registry as unknown as RemoteRegistry, digestOf(root));
}

const textOf = (manifest: Manifest | null) => manifest?.bytes.toString();

describe('the manifest used by the engine', () => {
  const twins = [image('same', 'one'), image('same', 'two')];
  const root = index(...twins.map((text) => entry(text)));
  const id = digestOf('same');

  it('is the pulled manifest if the manifest is an image', async () => {
    assert.equal(textOf(await treeOf(image('one'), []).usedFor(digestOf('one'), signal)), image('one'));
    assert.equal(await treeOf(image('one'), []).usedFor(id, signal), null);
  });

  it('is the only image of an index that the engine requested', async () => {
    const tree = treeOf(root, twins);
    for (const digest of [root, twins[1] ?? ''].map(digestOf)) await tree.readForEngine(digest, signal);

    assert.equal(textOf(await tree.usedFor(id, signal)), twins[1]);
    assert.deepEqual((await tree.imagesWith(id, signal)).map(textOf), twins.toReversed());
  });

  it('is unknown if the engine requested no image or several images', async () => {
    const tree = treeOf(root, twins);
    await tree.readForEngine(digestOf(root), signal);
    await tree.find((manifest) => manifest.image !== null, signal);
    assert.equal(await tree.usedFor(id, signal), null);

    for (const text of twins) await tree.readForEngine(digestOf(text), signal);
    assert.equal(await tree.usedFor(id, signal), null);
  });
});

describe('the manifests possibly used by the engine', () => {
  const entries = [entry(image('amd64'), 'linux'), entry(image('arm64')), entry(image('other'), 'windows')];
  const root = index(...entries, entry(image('notes'), 'unknown'));
  const all = ['amd64', 'arm64', 'other', 'notes'].map((name) => image(name));

  it('have the given configuration and exist in the registry', async () => {
    const named = async (tree: ManifestTree, name: string) =>
      (await tree.imagesWith(digestOf(name), signal)).map(textOf);
    assert.deepEqual(await named(treeOf(root, all), 'arm64'), [image('arm64')]);
    assert.deepEqual(await named(treeOf(root, all), 'elsewhere'), []);
    assert.deepEqual(await named(treeOf(root, [image('amd64')]), 'arm64'), []);
    assert.deepEqual(await named(treeOf(image('one'), []), 'one'), [image('one')]);
  });

  it('include only images for Linux or for an unspecified system', async () => {
    assert.deepEqual((await treeOf(root, all).linuxImages(signal)).map(textOf), [image('amd64'), image('arm64')]);
    assert.deepEqual((await treeOf(image('one'), []).linuxImages(signal)).map(textOf), [image('one')]);
  });

  it('cause an error if the registry lacks an image for Linux', async () => {
    await assert.rejects(treeOf(root, [image('amd64')]).linuxImages(signal), RemoteProblem);
  });
});
