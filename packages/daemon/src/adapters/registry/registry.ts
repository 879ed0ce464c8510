/**
 * The instance's own registry, to which users push the images of apps. Tokens that the instance signs grant access to
 * users. The daemon signs other tokens for its own requests.
 */

import type { Readable } from 'node:stream';
import type { RegistryProblemCode } from '@davit/api';
import type { ImageParts } from './remote/manifest.ts';

export type RegistryAction = 'pull' | 'push' | 'delete';

/** Actions that a token allows in one repository, for example `project/environment/app`. */
export interface RegistryAccess {
  repository: string;
  actions: RegistryAction[];
}

/** All input for the registry's configuration. A changed setup requires a new container. */
export interface RegistrySetup {
  /** Port on the loopback address. */
  port: number;
  /** Absolute URL of the token service for clients. The proxy replaces this URL by the public URL. */
  realm: string;
  /** Audience of every token. `issuer` is the issuer of every token. */
  service: string;
  issuer: string;
  /** Certificate in PEM format. The key of this certificate signs the tokens. */
  certificate: string;
  /**
   * URL that receives the registry's notifications about pushes, and the bearer secret that the registry sends with
   * them.
   */
  hook: { url: string; secret: string };
}

export interface RegistryStatus {
  kind: 'distribution' | 'memory';
  running: boolean;
  version: string | null;
  /**
   * Start time of the registry process in milliseconds since the epoch. A new process does not send the pending
   * notifications of the previous process.
   */
  startedAt: number | null;
  /** Whether the registry rejects pushes, because tags or unused layers are being removed. */
  readOnly: boolean;
  /** Sentence with the reason why the registry is not running, or `null` if the registry is running. */
  problem: string | null;
  problemCode: RegistryProblemCode | null;
}

/** Manifest that a tag points to. */
export interface RegistryManifest {
  /** Digest of the manifest, for example `sha256:…`. */
  digest: string;
  mediaType: string;
  /**
   * Compressed size in bytes of the configuration and all layers. The size of an index is the size of all its images.
   */
  bytes: number;
}

/** Images of a manifest that a repository has. */
export interface StoredImages {
  images: StoredImage[];
  /** Whether the repository has all manifests that the index names. */
  isComplete: boolean;
}

export interface StoredImage extends ImageParts {
  /** Whether an engine on Linux may run the image. */
  mayRun: boolean;
}

export interface RepositoryTag {
  repository: string;
  tag: string;
}

/** Request for a garbage collection: data to remove and data to retain. */
export interface CollectionAsk {
  /** Digests to retain without a tag, by repository. An index is retained with all its images. */
  keep: ReadonlyMap<string, ReadonlySet<string>>;
  /** Tags to remove. */
  tags: readonly RepositoryTag[];
  /** Repositories to remove completely. */
  repositories: readonly string[];
  /** Repositories with a possible running push. All their data is retained. */
  spare: ReadonlySet<string>;
  /**
   * Age in milliseconds below which data is retained, because the manifest of a running push may reference the data
   * later.
   */
  youngMs: number;
}

export interface Collected {
  /** Number of manifests without a tag. */
  manifests: number;
  blobs: number;
  freedBytes: number;
}

/** Current digest of a tag. */
export interface RegistryHead {
  tag: string;
  digest: string;
  /** Push time in milliseconds since the epoch, with fractions. */
  pushedAt: number;
}

/** Error if the registry cannot be started or does not respond. The message contains a solution. */
export class RegistryUnavailable extends Error {
  override name = 'RegistryUnavailable';
}

export interface ImageRegistry extends AsyncDisposable {
  /**
   * Starts the registry or adopts the running registry. Replaces the registry if its image or its setup changed.
   * Disposing leaves the registry running.
   */
  ensure(setup: RegistrySetup): Promise<RegistryStatus>;
  status(): Promise<RegistryStatus>;
  /** Returns all repositories, with or without tags, sorted by name. @throws RegistryUnavailable */
  repositories(): Promise<string[]>;
  /**
   * Returns the tags of a repository, sorted, or an empty list for an unknown repository.
   * @throws RegistryUnavailable
   */
  tags(repository: string): Promise<string[]>;
  /**
   * Returns the tags of a repository with their digests, the latest push last. Works also while the registry is not
   * running.
   * @param since earliest push time in milliseconds since the epoch. A tag that was moved back to an existing image may
   * be missing from the result
   */
  heads(repository: string, since?: number): Promise<RegistryHead[]>;
  /**
   * Reads a manifest.
   * @param reference a tag or a digest
   * @returns `null` if the manifest does not exist
   * @throws RegistryUnavailable
   */
  manifest(repository: string, reference: string): Promise<RegistryManifest | null>;
  /**
   * Returns the digest of a tag's manifest, or `null` if the tag does not exist. Costs less than {@link manifest}.
   * @throws RegistryUnavailable
   */
  digestOf(repository: string, reference: string): Promise<string | null>;
  /**
   * Adds an image of one repository to another repository, without a tag. Both repositories share the layers.
   * Idempotent.
   * @returns false if `from` has no such image
   * @throws RegistryUnavailable, also while the registry rejects pushes
   */
  link(digest: string, from: string, to: string): Promise<boolean>;
  /**
   * Reads a manifest and, if the manifest is an index, the manifests of its images. The repository has the layers that
   * these manifests name.
   * @throws RemoteProblem if a manifest may name missing layers, or if the registry does not respond; the reason of the
   * signal
   */
  readImages(repository: string, digest: string, signal: AbortSignal): Promise<StoredImages>;
  /**
   * Opens a layer or an image configuration. The caller must read the stream to its end, destroy it or abort the
   * signal.
   * @throws RemoteProblem if the repository does not have the blob or the registry does not respond; the reason of the
   * signal
   */
  openBlob(repository: string, digest: string, signal: AbortSignal): Promise<Readable>;
  /** Removes a manifest and all tags that point to the manifest. @throws RegistryUnavailable */
  removeManifest(repository: string, digest: string): Promise<void>;
  /**
   * Removes only a tag, if the tag still points to `digest`. The registry rejects pushes meanwhile.
   * @returns true if the tag does not exist any more, false if the tag points to another image
   * @throws RegistryUnavailable
   */
  untag(tag: RepositoryTag, digest: string): Promise<boolean>;
  /** Removes repositories completely. The registry rejects pushes meanwhile. @throws RegistryUnavailable */
  removeRepositories(repositories: readonly string[]): Promise<void>;
  /**
   * Returns what {@link collect} would remove now. Changes nothing and does not reject pushes.
   * @throws RegistryUnavailable
   */
  preview(ask: CollectionAsk): Promise<Collected>;
  /**
   * Removes the tags and repositories of the request. Then removes all manifests that neither a tag nor `keep` names,
   * and all unused layers. The registry rejects pushes meanwhile.
   * @param ask function that returns the request. The registry calls it only when pushes are rejected, so that the
   * request is complete
   * @throws RegistryUnavailable
   */
  collect(ask: () => CollectionAsk): Promise<Collected>;
  /** Returns the size in bytes of all layers, manifests and running uploads on disk. @throws RegistryUnavailable */
  bytesOnDisk(): Promise<number>;
  /**
   * Returns the size in bytes on disk of all data in some repositories, with or without a tag, and of their running
   * uploads. Shared data counts once.
   * @throws RegistryUnavailable
   */
  bytesOf(repositories: readonly string[]): Promise<number>;
}
