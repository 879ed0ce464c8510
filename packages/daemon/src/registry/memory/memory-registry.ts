/** The registry of the memory engine and of tests: keeps the promises of the interface, and nothing else. */
import { createHash } from 'node:crypto';
import {
  type ImageRegistry,
  type RegistryManifest,
  type RegistrySetup,
  type RegistryStatus,
  RegistryUnavailable,
} from '../registry.ts';

export interface MemoryRegistryControls {
  /** What it was last set up with; null before. */
  readonly setup: RegistrySetup | null;
  /** Puts an image into it, as a client's push would, without telling anybody. @returns its digest */
  push(repository: string, tag: string, content?: string): string;
  /** From now on everything fails with `RegistryUnavailable` and this message; null: no more. */
  setUnavailable(message: string | null): void;
}

const MEDIA_TYPE = 'application/vnd.docker.distribution.manifest.v2+json';

class MemoryRegistry implements ImageRegistry, MemoryRegistryControls {
  setup: RegistrySetup | null = null;
  readonly #repositories = new Map<string, { manifests: Map<string, number>; tags: Map<string, string> }>();
  #unavailable: string | null = null;

  async ensure(setup: RegistrySetup): Promise<RegistryStatus> {
    this.setup = setup;
    return this.status();
  }

  async status(): Promise<RegistryStatus> {
    const problem = this.#unavailable;
    return { kind: 'memory', running: problem === null, version: null, readOnly: false, problem };
  }

  async repositories(): Promise<string[]> {
    this.#demandAvailable();
    return [...this.#repositories.keys()].sort();
  }

  async tags(repository: string): Promise<string[]> {
    this.#demandAvailable();
    return [...(this.#repositories.get(repository)?.tags.keys() ?? [])].sort();
  }

  async manifest(repository: string, reference: string): Promise<RegistryManifest | null> {
    this.#demandAvailable();
    const found = this.#repositories.get(repository);
    const digest = found?.tags.get(reference) ?? reference;
    const bytes = found?.manifests.get(digest);
    return bytes === undefined ? null : { digest, mediaType: MEDIA_TYPE, bytes };
  }

  async removeManifest(repository: string, digest: string): Promise<void> {
    this.#demandAvailable();
    const found = this.#repositories.get(repository);
    found?.manifests.delete(digest);
    for (const [tag, named] of found?.tags ?? []) if (named === digest) found?.tags.delete(tag);
  }

  async untag(tags: { repository: string; tag: string }[]): Promise<void> {
    this.#demandAvailable();
    for (const { repository, tag } of tags) this.#repositories.get(repository)?.tags.delete(tag);
  }

  async removeRepositories(repositories: string[]): Promise<void> {
    this.#demandAvailable();
    for (const repository of repositories) this.#repositories.delete(repository);
  }

  async collectGarbage(keep: ReadonlyMap<string, ReadonlySet<string>>): Promise<{ before: number; after: number }> {
    this.#demandAvailable();
    const before = this.#bytes();
    for (const [repository, { manifests, tags }] of this.#repositories) {
      const needed = new Set([...tags.values(), ...(keep.get(repository) ?? [])]);
      for (const digest of manifests.keys()) if (!needed.has(digest)) manifests.delete(digest);
    }
    return { before, after: this.#bytes() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing runs outside this process.
  }

  push(repository: string, tag: string, content = `${repository}:${tag}`): string {
    const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
    const found = this.#repositories.get(repository) ?? { manifests: new Map(), tags: new Map() };
    found.manifests.set(digest, content.length);
    found.tags.set(tag, digest);
    this.#repositories.set(repository, found);
    return digest;
  }

  setUnavailable(message: string | null): void {
    this.#unavailable = message;
  }

  #bytes(): number {
    const all = [...this.#repositories.values()].flatMap(({ manifests }) => [...manifests.values()]);
    return all.reduce((sum, bytes) => sum + bytes, 0);
  }

  #demandAvailable(): void {
    if (this.#unavailable !== null) throw new RegistryUnavailable(this.#unavailable);
  }
}

/** A registry without a network. */
export function createMemoryRegistry(): ImageRegistry & MemoryRegistryControls {
  return new MemoryRegistry();
}
