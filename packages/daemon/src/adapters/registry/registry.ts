/**
 * The instance's own registry: where apps are pushed to. Who may do what in it is said by tokens that the instance signs;
 * what it holds is asked for with tokens of the instance's own.
 */

import type { Readable } from 'node:stream';
import type { RegistryProblemCode } from '@davit/api';
import type { ImageParts } from './remote/manifest.ts';

export type RegistryAction = 'pull' | 'push' | 'delete';

/** What a token lets its bearer do in one repository, `project/environment/app`. */
export interface RegistryAccess {
  repository: string;
  actions: RegistryAction[];
}

/** Everything that the registry's configuration is made of; another one is another container. */
export interface RegistrySetup {
  /** On the loopback address. */
  port: number;
  /** Where clients are sent for a token, an absolute URL; the proxy puts the public one in its place. */
  realm: string;
  /** In every token: for whom it is, and from whom. */
  service: string;
  issuer: string;
  /** PEM of the certificate whose key signs tokens. */
  certificate: string;
  /** Where the registry tells what was pushed, and the bearer secret that it says there. */
  hook: { url: string; secret: string };
}

export interface RegistryStatus {
  kind: 'distribution' | 'memory';
  running: boolean;
  version: string | null;
  /** When its process began, in milliseconds since the epoch: another one does not tell what the one before had not told yet. */
  startedAt: number | null;
  /** Takes no pushes: tags or unused layers are being removed. */
  readOnly: boolean;
  /** Why it is not running, in a sentence; null when it is. */
  problem: string | null;
  problemCode: RegistryProblemCode | null;
}

/** What a tag points to. */
export interface RegistryManifest {
  /** `sha256:…` of the manifest. */
  digest: string;
  mediaType: string;
  /** Bytes of the configuration and of every layer, compressed; of an index, of all its images together. */
  bytes: number;
}

/** The images of a manifest, as a repository has them. */
export interface StoredImages {
  images: StoredImage[];
  /** Whether the repository has all manifests that an index names. */
  isComplete: boolean;
}

export interface StoredImage extends ImageParts {
  /** Whether an engine on Linux may run it. */
  mayRun: boolean;
}

/** A tag of a repository. */
export interface RepositoryTag {
  repository: string;
  tag: string;
}

/** What a collection takes, and what it leaves. */
export interface CollectionAsk {
  /** Digests that stay although no tag names them, by repository; an index stays with all its images. */
  keep: ReadonlyMap<string, ReadonlySet<string>>;
  /** Tags that go. */
  tags: readonly RepositoryTag[];
  /** Repositories that go as a whole. */
  repositories: readonly string[];
  /** Repositories to which somebody may be half-way through a push: all that they hold stays. */
  spare: ReadonlySet<string>;
  /** What was written less than so many milliseconds ago stays: a push may be about to name it. */
  youngMs: number;
}

export interface Collected {
  /** Manifests that no tag named. */
  manifests: number;
  blobs: number;
  freedBytes: number;
}

/** What a tag names now. */
export interface RegistryHead {
  tag: string;
  digest: string;
  /** Milliseconds since the epoch, with fractions. */
  pushedAt: number;
}

/** The registry cannot be started or does not answer; the message says what to do. */
export class RegistryUnavailable extends Error {
  override name = 'RegistryUnavailable';
}

export interface ImageRegistry extends AsyncDisposable {
  /** Starts the registry, adopts the one that runs, or replaces it when its image or its setup changed. Disposing leaves it running. */
  ensure(setup: RegistrySetup): Promise<RegistryStatus>;
  status(): Promise<RegistryStatus>;
  /** Every repository that it has, in order; with tags or without. @throws RegistryUnavailable */
  repositories(): Promise<string[]>;
  /** In order; none for a repository that it does not have. @throws RegistryUnavailable */
  tags(repository: string): Promise<string[]>;
  /**
   * What the tags of a repository name, the one that was pushed last at the end; also while the registry is away.
   * @param since only those that were pushed then or later, in milliseconds since the epoch; a tag that was moved back to
   * an image that was there already may be left out
   */
  heads(repository: string, since?: number): Promise<RegistryHead[]>;
  /** @param reference a tag or a digest @returns null when there is no such manifest @throws RegistryUnavailable */
  manifest(repository: string, reference: string): Promise<RegistryManifest | null>;
  /** The digest of a tag's manifest, for less than the manifest costs; null when there is none. @throws RegistryUnavailable */
  digestOf(repository: string, reference: string): Promise<string | null>;
  /**
   * Makes an image of one repository an image of another one as well, under no tag; its layers are shared. Idempotent.
   * @returns false if `from` has no such image
   * @throws RegistryUnavailable, also while it takes no pushes
   */
  link(digest: string, from: string, to: string): Promise<boolean>;
  /**
   * Reads a manifest, and of an index those of its images. The repository has the layers that they name.
   * @throws RemoteProblem for one that may name others, and when the registry does not answer; the signal's reason
   */
  readImages(repository: string, digest: string, signal: AbortSignal): Promise<StoredImages>;
  /**
   * Opens a layer or a configuration. The caller reads it whole, destroys it or aborts the signal.
   * @throws RemoteProblem if the repository does not have it, and when the registry does not answer; the signal's reason
   */
  openBlob(repository: string, digest: string, signal: AbortSignal): Promise<Readable>;
  /** Removes a manifest with every tag that points to it. @throws RegistryUnavailable */
  removeManifest(repository: string, digest: string): Promise<void>;
  /**
   * Removes a tag and nothing else, if it still names an image; the registry takes no pushes meanwhile.
   * @returns whether the tag is gone; false: it names another image
   * @throws RegistryUnavailable
   */
  untag(tag: RepositoryTag, digest: string): Promise<boolean>;
  /** Removes whole repositories; the registry takes no pushes meanwhile. @throws RegistryUnavailable */
  removeRepositories(repositories: readonly string[]): Promise<void>;
  /** What {@link collect} would remove now. Changes nothing and refuses nobody. @throws RegistryUnavailable */
  preview(ask: CollectionAsk): Promise<Collected>;
  /**
   * Removes what the ask names, then every manifest that no tag and nobody in `keep` names and every layer that nothing
   * needs; the registry takes no pushes meanwhile.
   * @param ask called when none are taken any more, so that nothing is missing in it
   * @throws RegistryUnavailable
   */
  collect(ask: () => CollectionAsk): Promise<Collected>;
  /** Bytes of all layers and manifests on its disk, and of uploads that are under way. @throws RegistryUnavailable */
  bytesOnDisk(): Promise<number>;
  /**
   * Bytes on its disk of all that is in some repositories, tagged or not, and of uploads that are under way. What several
   * of them share counts once. @throws RegistryUnavailable
   */
  bytesOf(repositories: readonly string[]): Promise<number>;
}
