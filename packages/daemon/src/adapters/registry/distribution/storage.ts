/**
 * Reads and removes files in the registry's storage folder (Distribution 2.x or 3.x). Files may be removed only while
 * the registry rejects pushes.
 */

import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDigest } from '@davit/api';
import { isRepository } from '../repository-name.ts';
import { demandDigest, demandRepository, demandTag, isTag } from './names.ts';

/**
 * Link in a repository's folder to a blob, which is a layer or a manifest. All repositories share the folder of blobs.
 * A tag is a link to a manifest.
 */
export interface StoredLink {
  digest: string;
  /** Time at which the registry wrote the file, in milliseconds since the epoch. */
  writtenAt: number;
}

export interface StoredBlob extends StoredLink {
  bytes: number;
}

export interface StoredUpload {
  path: string;
  /** Time at which the upload received its last data, in milliseconds since the epoch. */
  touchedAt: number;
  bytes: number;
}

const MANIFEST_BYTES = 4 * 1024 * 1024;

export class RegistryStorage {
  readonly #root: string;

  /** @param folder folder on the host that is the registry's `rootdirectory` */
  constructor(folder: string) {
    this.#root = join(folder, 'docker/registry/v2');
  }

  /** Returns the sorted names of all repositories that have a manifest, a layer or an upload. */
  async repositories(): Promise<string[]> {
    const found: string[] = [];
    const walk = async (name: string): Promise<void> => {
      const entries = await entriesOf(join(this.#root, 'repositories', name));
      if (name !== '' && entries.some((entry) => entry.name.startsWith('_'))) found.push(name);
      for (const entry of entries) {
        const inner = name === '' ? entry.name : `${name}/${entry.name}`;
        if (entry.isDirectory() && isRepository(inner)) await walk(inner);
      }
    };
    await walk('');
    return found.sort();
  }

  /** Returns a map from tag to manifest digest for one repository. The map omits tags with a damaged file. */
  async tags(repository: string): Promise<Map<string, string>> {
    const folder = this.#tags(repository);
    const found = new Map<string, string>();
    for (const { name } of await entriesOf(folder)) {
      const digest = isTag(name) ? await digestAt(join(folder, name, 'current/link')) : null;
      if (digest !== null) found.set(name, digest);
    }
    return found;
  }

  /** Returns the manifests of a repository, with and without a tag. */
  revisions(repository: string): Promise<StoredLink[]> {
    return this.#links(repository, '_manifests/revisions');
  }

  /**
   * Returns the layers of a repository. The repository's folder contains a small file for each layer, and the file
   * contains the digest of the layer.
   */
  layers(repository: string): Promise<StoredLink[]> {
    return this.#links(repository, '_layers');
  }

  async uploads(repository: string): Promise<StoredUpload[]> {
    const folder = join(this.#repository(repository), '_uploads');
    const found: StoredUpload[] = [];
    for (const { name } of await entriesOf(folder)) {
      const path = join(folder, name);
      const stats = await Promise.all([path, join(path, 'data'), join(path, 'startedat')].map(statOf));
      const touchedAt = Math.max(0, ...stats.map((stat) => stat?.mtimeMs ?? 0));
      found.push({ path, touchedAt, bytes: stats[1]?.size ?? 0 });
    }
    return found;
  }

  /**
   * Returns the text of a manifest in the registry. Returns `null` if the manifest does not exist or is larger than 4
   * MiB.
   */
  async manifest(digest: string): Promise<string | null> {
    const path = join(this.#blob(digest), 'data');
    const stat = await statOf(path);
    if (stat === null || stat.size > MANIFEST_BYTES) return null;
    return readFile(path, 'utf8');
  }

  /**
   * Yields all blobs of the registry. The method reads one folder at a time, because there may be millions of blobs.
   */
  async *blobs(): AsyncGenerator<StoredBlob> {
    const folder = join(this.#root, 'blobs');
    for (const algorithm of await entriesOf(folder)) {
      for (const prefix of await entriesOf(join(folder, algorithm.name))) {
        for (const { name } of await entriesOf(join(folder, algorithm.name, prefix.name))) {
          const digest = `${algorithm.name}:${name}`;
          const stat = isDigest(digest) ? await statOf(join(this.#blob(digest), 'data')) : null;
          if (stat !== null) yield { digest, bytes: stat.size, writtenAt: stat.mtimeMs };
        }
      }
    }
  }

  /** Returns the total size of all blobs and uploads in bytes. */
  async bytes(): Promise<number> {
    let sum = 0;
    for await (const blob of this.blobs()) sum += blob.bytes;
    for (const repository of await this.repositories()) {
      for (const upload of await this.uploads(repository)) sum += upload.bytes;
    }
    return sum;
  }

  /**
   * Returns the total size of the blobs and uploads of some repositories in bytes. If several of these repositories
   * share a blob, its size is added only once.
   */
  async bytesOf(repositories: readonly string[]): Promise<number> {
    const digests = new Set<string>();
    let sum = 0;
    for (const repository of repositories) {
      for (const { digest } of await this.layers(repository)) digests.add(digest);
      for (const { digest } of await this.revisions(repository)) digests.add(digest);
      for (const upload of await this.uploads(repository)) sum += upload.bytes;
    }
    for (const digest of digests) sum += (await statOf(join(this.#blob(digest), 'data')))?.size ?? 0;
    return sum;
  }

  async removeTag(repository: string, tag: string): Promise<void> {
    await remove(join(this.#tags(repository), demandTag(tag)));
  }

  async removeRevision(repository: string, digest: string): Promise<void> {
    await remove(join(this.#repository(repository), '_manifests/revisions', partsOf(digest)));
  }

  async removeLayer(repository: string, digest: string): Promise<void> {
    await remove(join(this.#repository(repository), '_layers', partsOf(digest)));
  }

  async removeBlob(digest: string): Promise<void> {
    await remove(this.#blob(digest));
  }

  async removeUpload({ path }: StoredUpload): Promise<void> {
    await remove(path);
  }

  /**
   * Deletes the files of a repository, but not the other repositories in its subfolders. For example, deleting `a/b`
   * keeps `a/b/c`.
   */
  async removeRepository(repository: string): Promise<void> {
    const folder = this.#repository(repository);
    for (const { name } of await entriesOf(folder)) if (name.startsWith('_')) await remove(join(folder, name));
    const top = join(this.#root, 'repositories');
    for (let empty = folder; empty !== top && (await removeEmpty(empty)); ) empty = dirname(empty);
  }

  async #links(repository: string, kind: string): Promise<StoredLink[]> {
    const folder = join(this.#repository(repository), kind);
    const found: StoredLink[] = [];
    for (const algorithm of await entriesOf(folder)) {
      for (const { name } of await entriesOf(join(folder, algorithm.name))) {
        const digest = `${algorithm.name}:${name}`;
        const stat = isDigest(digest) ? await statOf(join(folder, algorithm.name, name, 'link')) : null;
        if (stat !== null) found.push({ digest, writtenAt: stat.mtimeMs });
      }
    }
    return found;
  }

  #repository(name: string): string {
    return join(this.#root, 'repositories', demandRepository(name));
  }

  #tags(repository: string): string {
    return join(this.#repository(repository), '_manifests/tags');
  }

  #blob(digest: string): string {
    const [algorithm = '', hex = ''] = demandDigest(digest).split(':');
    return join(this.#root, 'blobs', algorithm, hex.slice(0, 2), hex);
  }
}

/** Returns the part of a registry file path that depends on a digest, for example `sha256/<hex>`. */
function partsOf(digest: string): string {
  return demandDigest(digest).replace(':', '/');
}

async function digestAt(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(nothing);
  return text !== null && isDigest(text) ? text : null;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return (await readdir(folder, { withFileTypes: true }).catch(nothing)) ?? [];
}

function statOf(path: string) {
  return lstat(path).catch(nothing);
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

async function removeEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    if (isCode(error, 'ENOTEMPTY', 'ENOENT', 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Error handler that returns `null` if the error means that a file does not exist.
 * @throws the error in all other cases
 */
function nothing(error: unknown): null {
  if (isCode(error, 'ENOENT', 'ENOTDIR')) return null;
  throw error;
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(String((error as { code?: unknown } | null)?.code));
}
