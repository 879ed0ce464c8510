/** In-memory registry for tests and for demos without Docker. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type ClientTags,
  type Collected,
  type CollectionRequest,
  type ImageRegistry,
  type RegistryHead,
  type RegistryManifest,
  type RegistrySetup,
  type RegistryStatus,
  RegistryUnavailable,
  type RepositoryTag,
  type StoredImages,
} from '../registry.ts';
import { mayPull } from './token-check.ts';

export interface MemoryRegistryControls {
  /** Registry setup from the last `ensure` call. `null` before the first `ensure` call. */
  readonly setup: RegistrySetup | null;
  /**
   * Adds an image to the in-memory registry, like a push of a client, but without a notification.
   * @returns digest of the image
   */
  push(repository: string, tag: string, content?: string): string;
  /** Adds content that is not a container image, such as a signature. Otherwise, the method works like `push`. */
  pushArtifact(repository: string, tag: string): string;
  /**
   * Makes all method calls fail with `RegistryUnavailable` and the given message. If the message is `null`, method
   * calls succeed again.
   */
  setUnavailable(message: string | null): void;
}

const MEDIA_TYPE = 'application/vnd.docker.distribution.manifest.v2+json';

interface Repository {
  /** Map from manifest digest to the size of the manifest in bytes, for the in-memory registry. */
  manifests: Map<string, number>;
  tags: Map<string, string>;
  /** Map from tag to push time in milliseconds since the epoch. Each push gets a later time than the previous push. */
  pushed: Map<string, number>;
}

type Repositories = Map<string, Repository>;

class MemoryRegistry implements ImageRegistry, MemoryRegistryControls {
  setup: RegistrySetup | null = null;
  readonly #repositories: Repositories = new Map();
  /** Digests of the manifests that are not container images. */
  readonly #artifacts = new Set<string>();
  #pushes = 0;
  #unavailable: string | null = null;

  async ensure(setup: RegistrySetup): Promise<RegistryStatus> {
    this.setup = setup;
    return this.status();
  }

  async status(): Promise<RegistryStatus> {
    const problem = this.#unavailable;
    const problemCode = problem === null ? null : 'registry_not_serving';
    const none = { version: null, startedAt: null, readOnly: false };
    return { kind: 'memory', running: problem === null, ...none, problem, problemCode };
  }

  async repositories(): Promise<string[]> {
    this.#demandAvailable();
    return [...this.#repositories.keys()].sort();
  }

  async tags(repository: string): Promise<string[]> {
    this.#demandAvailable();
    return [...(this.#repositories.get(repository)?.tags.keys() ?? [])].sort();
  }

  async tagsFor(repository: string, authorization: string | undefined): Promise<ClientTags> {
    this.#demandAvailable();
    if (this.setup === null || !mayPull(this.setup, authorization, repository)) {
      const { realm = '', service = '' } = this.setup ?? {};
      const challenge = `Bearer realm="${realm}",service="${service}",scope="repository:${repository}:pull"`;
      const body = { errors: [{ code: 'UNAUTHORIZED', message: 'authentication required' }] };
      return { refusal: { status: 401, challenge, body } };
    }
    const tags = this.#repositories.get(repository)?.tags;
    if (tags !== undefined) return { tags: [...tags.keys()] };
    const body = { errors: [{ code: 'NAME_UNKNOWN', message: 'repository name not known to registry' }] };
    return { refusal: { status: 404, challenge: null, body } };
  }

  async heads(repository: string, since = 0): Promise<RegistryHead[]> {
    const { tags, pushed } = this.#repositories.get(repository) ?? EMPTY;
    const heads = [...tags].map(([tag, digest]) => ({ tag, digest, pushedAt: pushed.get(tag) ?? 0 }));
    return heads.filter(({ pushedAt }) => pushedAt >= since).sort((a, b) => a.pushedAt - b.pushedAt);
  }

  async manifest(repository: string, reference: string): Promise<RegistryManifest | null> {
    this.#demandAvailable();
    const found = this.#repositories.get(repository);
    const digest = found?.tags.get(reference) ?? reference;
    const bytes = found?.manifests.get(digest);
    return bytes === undefined ? null : { digest, mediaType: MEDIA_TYPE, bytes };
  }

  async digestOf(repository: string, reference: string): Promise<string | null> {
    return (await this.manifest(repository, reference))?.digest ?? null;
  }

  async link(digest: string, from: string, to: string): Promise<boolean> {
    this.#demandAvailable();
    const bytes = this.#repositories.get(from)?.manifests.get(digest);
    if (bytes === undefined) return this.#repositories.get(to)?.manifests.has(digest) ?? false;
    const found = this.#repositories.get(to) ?? { manifests: new Map(), tags: new Map(), pushed: new Map() };
    this.#repositories.set(to, found);
    found.manifests.set(digest, bytes);
    return true;
  }

  /** Returns an empty list. The in-memory registry stores no layers, so it has no complete images. */
  async readImages(): Promise<StoredImages> {
    this.#demandAvailable();
    return { images: [], isComplete: true };
  }

  async openBlob(): Promise<Readable> {
    this.#demandAvailable();
    return Readable.from([]);
  }

  async isArtifact(_repository: string, digest: string): Promise<boolean> {
    this.#demandAvailable();
    return this.#artifacts.has(digest);
  }

  async removeManifest(repository: string, digest: string): Promise<void> {
    this.#demandAvailable();
    const found = this.#repositories.get(repository);
    found?.manifests.delete(digest);
    for (const [tag, named] of found?.tags ?? []) if (named === digest) found?.tags.delete(tag);
  }

  async untag({ repository, tag }: RepositoryTag, digest: string): Promise<boolean> {
    this.#demandAvailable();
    const tags = this.#repositories.get(repository)?.tags;
    const named = tags?.get(tag);
    if (named !== undefined && named !== digest) return false;
    tags?.delete(tag);
    return true;
  }

  async removeRepositories(repositories: readonly string[]): Promise<void> {
    this.#demandAvailable();
    for (const repository of repositories) this.#repositories.delete(repository);
  }

  async preview(request: CollectionRequest): Promise<Collected> {
    this.#demandAvailable();
    return collectFrom(structuredClone(this.#repositories), request);
  }

  async collect(readRequest: () => CollectionRequest): Promise<Collected> {
    this.#demandAvailable();
    return collectFrom(this.#repositories, readRequest());
  }

  async bytesOnDisk(): Promise<number> {
    this.#demandAvailable();
    return bytesOf(this.#repositories);
  }

  async bytesOf(repositories: readonly string[]): Promise<number> {
    this.#demandAvailable();
    return bytesOf(new Map(repositories.map((name) => [name, this.#repositories.get(name) ?? EMPTY])));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The in-memory registry uses no files, connections or processes, so there is nothing to close.
  }

  push(repository: string, tag: string, content = `${repository}:${tag}`): string {
    const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
    const found = this.#repositories.get(repository) ?? { manifests: new Map(), tags: new Map(), pushed: new Map() };
    found.manifests.set(digest, content.length);
    found.tags.set(tag, digest);
    this.#pushes += 1;
    found.pushed.set(tag, Date.now() + this.#pushes / 1_000);
    this.#repositories.set(repository, found);
    return digest;
  }

  pushArtifact(repository: string, tag: string): string {
    const digest = this.push(repository, tag, `artifact ${repository}:${tag}`);
    this.#artifacts.add(digest);
    return digest;
  }

  setUnavailable(message: string | null): void {
    this.#unavailable = message;
  }

  #demandAvailable(): void {
    if (this.#unavailable !== null) throw new RegistryUnavailable(this.#unavailable);
  }
}

const EMPTY: Repository = { manifests: new Map(), tags: new Map(), pushed: new Map() };

export function createMemoryRegistry(): ImageRegistry & MemoryRegistryControls {
  return new MemoryRegistry();
}

function bytesOf(repositories: Repositories): number {
  const all = [...repositories.values()].flatMap(({ manifests }) => [...manifests.values()]);
  return all.reduce((sum, bytes) => sum + bytes, 0);
}

function collectFrom(
  repositories: Repositories,
  { keep, tags, repositories: gone, spare }: CollectionRequest,
): Collected {
  const before = bytesOf(repositories);
  for (const repository of gone) repositories.delete(repository);
  for (const { repository, tag } of tags) repositories.get(repository)?.tags.delete(tag);
  const removed = [...repositories].flatMap(([repository, found]) => {
    const needed = new Set([...found.tags.values(), ...(keep.get(repository) ?? [])]);
    if (spare.has(repository)) return [];
    return [...found.manifests.keys()].filter((digest) => !needed.has(digest) && found.manifests.delete(digest));
  });
  return { manifests: removed.length, blobs: removed.length, freedBytes: before - bytesOf(repositories) };
}
