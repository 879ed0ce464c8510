import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { RemoteProblem } from '../remote/problem.ts';
import { RegistryClient } from './client.ts';
import { readStoredImages } from './stored-images.ts';

const IMAGE = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';

/** A registry client that reads manifests from memory. */
class Manifests extends RegistryClient {
  readonly read: string[] = [];
  readonly #bodies = new Map<string, Buffer>();

  constructor() {
    super({ url: () => null });
  }

  /** Stores an index of manifests. @returns the digest of the index */
  add(manifests: string[]): string {
    return this.put({ manifests: manifests.map((digest) => ({ digest, size: 2 })) });
  }

  /** Stores a manifest. @returns the digest of the manifest */
  put(manifest: object): string {
    const mediaType = 'config' in manifest ? IMAGE : INDEX;
    const body = Buffer.from(JSON.stringify({ mediaType, ...manifest }));
    const digest = `sha256:${createHash('sha256').update(body).digest('hex')}`;
    this.#bodies.set(digest, body);
    return digest;
  }

  override async stored(_method: 'GET' | 'HEAD', _repository: string, reference: string) {
    this.read.push(reference);
    const body = this.#bodies.get(reference);
    return body === undefined ? null : { status: 200, headers: {}, body };
  }
}

const missing = (n: number) => `sha256:${n.toString(16).padStart(64, '0')}`;
const check = (client: Manifests, digest: string, signal = new AbortController().signal) =>
  readStoredImages(client, 'shop/production/web', { digest, signal });

describe('readStoredImages with an index', () => {
  it('reads each manifest only once regardless of the number of references', async () => {
    const client = new Manifests();
    let level = [client.add([missing(1)]), client.add([missing(2)])];
    for (let depth = 0; depth < 30; depth++) level = [client.add(level), client.add(level.toReversed())];
    const top = client.add(level);

    await check(client, top);

    assert.equal(client.read.length, new Set(client.read).size);
    assert.equal(client.read.length, 65);
  });

  it('refuses an index with too many manifests after a few reads', async () => {
    const client = new Manifests();
    const top = client.add(Array.from({ length: 1_000 }, (_, n) => missing(n)));

    await assert.rejects(check(client, top), RemoteProblem);

    assert.ok(client.read.length < 10);
  });

  it('stops without reading if the deployment is canceled', async () => {
    const client = new Manifests();
    const reason = new Error('cancelled');

    await assert.rejects(check(client, client.add([missing(1)]), AbortSignal.abort(reason)), reason);

    assert.deepEqual(client.read, []);
  });
});

describe('the images of a manifest', () => {
  const { signal } = new AbortController();
  const blob = { digest: missing(7), size: 2 };

  it('contain all images in the repository and whether each image can run', async () => {
    const client = new Manifests();
    const image = (n: number) => client.put({ config: { ...blob, digest: missing(n) }, layers: [blob] });
    const named = [1, 2, 3].map((n) => ({
      ...{ digest: image(n), size: 2 },
      platform: { os: ['linux', 'windows'][n] },
    }));
    const nested = client.add([image(4)]);
    const whole = client.put({ manifests: [...named, { digest: nested, size: 2 }] });

    const { images, isComplete } = await readStoredImages(client, 'shop/production/web', { digest: whole, signal });

    const runs = Object.fromEntries(
      images.map(({ config, mayRun }) => [Number.parseInt(config.digest.slice(7), 16), mayRun]),
    );
    assert.deepEqual([runs, isComplete], [{ 1: false, 2: true, 3: true, 4: true }, true]);
  });

  it('are incomplete if the repository lacks a manifest', async () => {
    const client = new Manifests();
    const digest = client.add([missing(1)]);
    const read = await readStoredImages(client, 'shop/production/web', { digest, signal });
    assert.deepEqual(read, { images: [], isComplete: false });
  });
});
