/**
 * Interface of the Davit instance's own registry, to which users push the images of their apps. Each request needs a
 * token that the Davit instance has signed. Users request tokens from the instance. The daemon signs tokens for its own
 * requests.
 */

import type { Readable } from 'node:stream';
import type { RegistryProblemCode } from '@davit/api';
import type { ImageParts } from './remote/manifest.ts';

export type RegistryAction = 'pull' | 'push' | 'delete';

/** Actions that a token allows in one repository. Repository names have the form `project/environment/app`. */
export interface RegistryAccess {
  repository: string;
  actions: RegistryAction[];
}

/** Values for the registry's configuration file. If one of them changes, Davit replaces the registry container. */
export interface RegistrySetup {
  /** Port on the loopback address on which the registry listens. */
  port: number;
  /** Absolute URL of the token service. In responses to clients, the proxy replaces this URL with the public URL. */
  realm: string;
  /**
   * Required values in every token for the registry. `service` is the value of the field `aud` (audience), and `issuer`
   * is the value of the field `iss`.
   */
  service: string;
  issuer: string;
  /**
   * Certificate in PEM format with which the registry verifies tokens. The daemon signs the tokens with the private key
   * of this certificate.
   */
  certificate: string;
  /**
   * URL to which the registry sends notifications about pushes, and the bearer secret that each notification contains.
   */
  hook: { url: string; secret: string };
}

export interface RegistryStatus {
  kind: 'distribution' | 'memory';
  running: boolean;
  version: string | null;
  /**
   * Start time of the registry process in milliseconds since the epoch, or `null` if the registry is not running. A
   * restart loses the notifications that the previous process had not sent yet.
   */
  startedAt: number | null;
  /** `true` if the registry currently rejects pushes, because Davit is removing tags or unused layers. */
  readOnly: boolean;
  /**
   * Error message that says why the registry is not running, or could not be replaced. `null` if there is no problem.
   */
  problem: string | null;
  problemCode: RegistryProblemCode | null;
}

/** Manifest of an image in the registry. */
export interface RegistryManifest {
  digest: string;
  mediaType: string;
  /**
   * Compressed size of the image configuration and all layers, in bytes. For an image index, the value is the size of
   * all its images.
   */
  bytes: number;
}

/** Images to which a manifest or an image index refers, if the repository contains these images. */
export interface StoredImages {
  images: StoredImage[];
  /** `true` if the repository has all manifests of the image index. */
  isComplete: boolean;
}

export interface StoredImage extends ImageParts {
  /** `true` if a Docker Engine on Linux could run the image. */
  mayRun: boolean;
}

export interface RepositoryTag {
  repository: string;
  tag: string;
}

/** Specifies which data a garbage collection of the registry removes and keeps. */
export interface CollectionRequest {
  /**
   * Map from repository to the digests of manifests that are kept even without a tag. An image index is kept with all
   * its images.
   */
  keep: ReadonlyMap<string, ReadonlySet<string>>;
  tags: readonly RepositoryTag[];
  /** Names of repositories to remove completely. */
  repositories: readonly string[];
  /**
   * Names of repositories that may be receiving a push now. The garbage collection keeps all data of these
   * repositories.
   */
  spare: ReadonlySet<string>;
  /**
   * Minimum age in milliseconds of data that may be removed. Newer data may belong to a push that has not sent its
   * manifest yet.
   */
  youngMs: number;
}

export interface Collected {
  /** Number of removed manifests that had no tag. */
  manifests: number;
  blobs: number;
  freedBytes: number;
}

/** Tag of an image in the registry and the digest to which it points. */
export interface RegistryHead {
  tag: string;
  digest: string;
  /** Time of the push in milliseconds since the epoch, with fractions. */
  pushedAt: number;
}

/** Error for a registry that cannot be started or does not respond. The message says what the user can do. */
export class RegistryUnavailable extends Error {
  override name = 'RegistryUnavailable';
}

export interface ImageRegistry extends AsyncDisposable {
  /**
   * Makes sure that the registry runs with the given setup. Keeps a running registry container if its image and setup
   * are current. Otherwise replaces it. The container keeps running after this object is disposed.
   */
  ensure(setup: RegistrySetup): Promise<RegistryStatus>;
  status(): Promise<RegistryStatus>;
  /**
   * Returns the sorted names of all repositories, including those without tags.
   * @throws RegistryUnavailable
   */
  repositories(): Promise<string[]>;
  /**
   * Returns the tags of a repository, sorted, or an empty list for an unknown repository.
   * @throws RegistryUnavailable
   */
  tags(repository: string): Promise<string[]>;
  /**
   * Returns the tags of a repository with their digests, sorted by push time, oldest first. Also works if the registry
   * is not running.
   * @param since omits tags that were pushed before this time, in milliseconds since the epoch. If a push only moves a
   * tag to an existing image, the tag can be missing in the result
   */
  heads(repository: string, since?: number): Promise<RegistryHead[]>;
  /**
   * Reads the manifest of an image.
   * @param reference a tag or a digest
   * @returns `null` if the manifest does not exist
   * @throws RegistryUnavailable
   */
  manifest(repository: string, reference: string): Promise<RegistryManifest | null>;
  /**
   * Returns the digest to which a tag points, or `null` if the tag does not exist. Faster than reading the manifest.
   * @throws RegistryUnavailable
   */
  digestOf(repository: string, reference: string): Promise<string | null>;
  /**
   * Makes an image of the repository `from` available in the repository `to`, without a tag. Both repositories share
   * the layers. Does nothing if `to` already has the image.
   * @returns `false` if `from` does not have the image
   * @throws RegistryUnavailable, also while the registry rejects pushes
   */
  link(digest: string, from: string, to: string): Promise<boolean>;
  /**
   * Reads a manifest. If it is an image index, also reads the manifests of its images. Throws an error if the
   * repository may not have all layers of these images.
   * @throws RemoteProblem if layers may be missing in the repository, or the registry does not respond
   * @throws the abort reason of `signal`
   */
  readImages(repository: string, digest: string, signal: AbortSignal): Promise<StoredImages>;
  /**
   * Starts the download of a layer or an image configuration. The caller must read the stream to its end, destroy it
   * or abort the signal.
   * @throws RemoteProblem if the repository does not have the blob, or the registry does not respond
   * @throws the abort reason of `signal`
   */
  openBlob(repository: string, digest: string, signal: AbortSignal): Promise<Readable>;
  /** Deletes a manifest and all tags that point to it. @throws RegistryUnavailable */
  removeManifest(repository: string, digest: string): Promise<void>;
  /**
   * Deletes a tag if it still points to `digest`. Keeps the manifest. The registry rejects pushes during the deletion.
   * @returns `true` if the tag no longer exists, `false` if it points to another image
   * @throws RegistryUnavailable
   */
  untag(tag: RepositoryTag, digest: string): Promise<boolean>;
  /** Deletes repositories completely. The registry rejects pushes during the deletion. @throws RegistryUnavailable */
  removeRepositories(repositories: readonly string[]): Promise<void>;
  /**
   * Returns the data that a garbage collection would remove now, without removing it. Users can still push images
   * during this preview.
   * @throws RegistryUnavailable
   */
  preview(ask: CollectionRequest): Promise<Collected>;
  /**
   * Removes the given tags and repositories. Then removes all manifests without a tag, except those in `keep`, and all
   * unused layers. The registry rejects pushes during this time.
   * @param ask returns what to remove and what to keep. It is called only after the registry has started to reject
   * pushes, so a push cannot make the result outdated.
   * @throws RegistryUnavailable
   */
  collect(ask: () => CollectionRequest): Promise<Collected>;
  /**
   * Returns the total size on disk of all layers, manifests and unfinished uploads, in bytes.
   * @throws RegistryUnavailable
   */
  bytesOnDisk(): Promise<number>;
  /**
   * Returns the size on disk of all data in some repositories, in bytes. Includes data without a tag and unfinished
   * uploads. Data that several of these repositories share is counted once.
   * @throws RegistryUnavailable
   */
  bytesOf(repositories: readonly string[]): Promise<number>;
}
