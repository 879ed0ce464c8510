/** Images in a repository in memory, as manifests, configurations and layers. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { Blob } from '../../src/adapters/registry/remote/manifest.ts';
import { demandReadable } from '../../src/adapters/registry/remote/manifest.ts';
import { RemoteProblem } from '../../src/adapters/registry/remote/problem.ts';
import type { OpenBlob } from '../../src/adapters/registry/remote/verified.ts';

export const IMAGE = 'application/vnd.oci.image.manifest.v1+json';
export const INDEX = 'application/vnd.oci.image.index.v1+json';

export function digestOf(bytes: Buffer | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** An image that a test created. */
export interface MadeImage {
  config: Buffer;
  /** Compressed layers. */
  layers: Buffer[];
  /** Digest of the configuration. */
  id: string;
}

/** Creates an image with layers of the given contents. */
export function makeImage(contents: string[], compress: (bytes: Buffer) => Buffer = gzipSync): MadeImage {
  const diffIds = contents.map((content) => digestOf(content));
  const config = Buffer.from(JSON.stringify({ os: 'linux', rootfs: { type: 'layers', diff_ids: diffIds } }));
  return { config, layers: contents.map((content) => compress(Buffer.from(content))), id: digestOf(config) };
}

export class FakeImages {
  /** Digests of the layers and configurations that were downloaded. */
  readonly opened: string[] = [];
  readonly #blobs = new Map<string, Buffer>();
  readonly #manifests = new Map<string, Buffer>();

  readonly open: OpenBlob = async (digest) => {
    this.opened.push(digest);
    const found = this.#blobs.get(digest);
    if (found === undefined) throw new RemoteProblem('image_not_found', `there is no ${digest}`);
    return Readable.from([found]);
  };

  /**
   * Adds a layer or a configuration.
   * @returns its descriptor for a manifest
   */
  blob(bytes: Buffer): Blob {
    this.#blobs.set(digestOf(bytes), bytes);
    return { digest: digestOf(bytes), size: bytes.length };
  }

  /**
   * Adds a manifest, and the given blobs.
   * @returns its digest
   */
  image({ config, layers }: Pick<MadeImage, 'config' | 'layers'>, has: Buffer[] = [config, ...layers]): string {
    for (const bytes of has) this.blob(bytes);
    const named = (bytes: Buffer) => ({ digest: digestOf(bytes), size: bytes.length });
    return this.#manifest({ mediaType: IMAGE, config: named(config), layers: layers.map(named) });
  }

  /**
   * Adds an index.
   * @returns its digest
   */
  index(...manifests: string[]): string {
    const named = manifests.map((digest) => ({ digest, size: 2, platform: { os: 'linux' } }));
    return this.#manifest({ mediaType: INDEX, manifests: named });
  }

  /** Adds an image index with one image for Linux and one for Windows. */
  mixedIndex(linux: string, windows: string): string {
    const manifests = [
      { digest: linux, size: 2, platform: { os: 'linux' } },
      { digest: windows, size: 2, platform: { os: 'windows' } },
    ];
    return this.#manifest({ mediaType: INDEX, manifests });
  }

  /** Removes a manifest. */
  forget(manifest: string): void {
    this.#manifests.delete(manifest);
  }

  async manifest(digest: string) {
    const bytes = this.#manifests.get(digest);
    if (bytes === undefined) throw new RemoteProblem('image_not_found', `there is no ${digest}`);
    return { bytes, ...demandReadable(bytes, undefined) };
  }

  #manifest(manifest: object): string {
    const bytes = Buffer.from(JSON.stringify(manifest));
    this.#manifests.set(digestOf(bytes), bytes);
    return digestOf(bytes);
  }
}
