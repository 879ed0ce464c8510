/**
 * Interface of the instance's own registry, to which users push images. Each request needs a token that the instance
 * has signed.
 */

import type { Readable } from 'node:stream';
import type { RegistryProblemCode } from '@davit/api';
import type { ImageParts } from './remote/manifest.ts';

/**
 * Address on which the registry listens. It is not 127.0.0.1, because the proxy uses the same port on 127.0.0.1. Linux
 * has all addresses of 127.0.0.0/8.
 */
export const REGISTRY_ADDRESS = '127.0.0.2';

export type RegistryAction = 'pull' | 'push' | 'delete';

/** Actions that a token allows in one repository. Repository names have the form `project/environment/app`. */
export interface RegistryAccess {
  repository: string;
  actions: RegistryAction[];
}

/** Values for the registry's configuration file. If one of them changes, Davit replaces the registry container. */
export interface RegistrySetup {
  /** Port on which the registry listens, with the address `REGISTRY_ADDRESS`. */
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
   * Start time of the registry process in ms since the epoch, or `null` if it does not run. A restart loses unsent
   * notifications.
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

/** Response of the registry to a client that lists the tags of a repository. */
export type ClientTags =
  /** All tags, not sorted. */
  | { tags: string[] }
  /** The registry refuses the request, for example because the client has no token for the repository. */
  | { refusal: RegistryRefusal };

export interface RegistryRefusal {
  /** HTTP status of the registry's response. */
  status: number;
  /** Value of the header `WWW-Authenticate`, which says where the client gets a token. `null` if it is missing. */
  challenge: string | null;
  /** Body of the response in the error format of the registry protocol, or `null` if the body has another format. */
  body: object | null;
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
   * Makes sure that the registry runs with the setup. Replaces an outdated container. The container outlives this
   * object.
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
   * Requests the tags of a repository with the `Authorization` header of a client, so that the registry decides whether
   * the client may read them.
   * @throws RegistryUnavailable
   */
  tagsFor(repository: string, authorization: string | undefined): Promise<ClientTags>;
  /**
   * Returns tags with their digests, oldest push first. Also works while the registry is stopped.
   * @param since minimum push time in ms. A tag that was moved to an existing image can be missing in the result.
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
   * Makes an image of the repository `from` available in the repository `to`, without a tag. A repeated call has no
   * effect.
   * @returns `false` if `from` does not have the image
   * @throws RegistryUnavailable, also while the registry rejects pushes
   */
  link(digest: string, from: string, to: string): Promise<boolean>;
  /**
   * Reads a manifest and, for an image index, the manifests of its images.
   * @throws RemoteProblem if layers may be missing or the registry does not respond, or the abort reason
   */
  readImages(repository: string, digest: string, signal: AbortSignal): Promise<StoredImages>;
  /**
   * Starts the download of a blob, which the caller must read to its end, destroy or abort.
   * @throws RemoteProblem if the blob is missing or the registry fails, or the abort reason
   */
  openBlob(repository: string, digest: string, signal: AbortSignal): Promise<Readable>;
  /**
   * Returns whether a manifest is not a container image, but for example a signature or a Helm chart. Returns `false`
   * if the manifest does not exist.
   * @throws RegistryUnavailable
   */
  isArtifact(repository: string, digest: string): Promise<boolean>;
  /** Deletes a manifest and all tags that point to it. @throws RegistryUnavailable */
  removeManifest(repository: string, digest: string): Promise<void>;
  /**
   * Deletes a tag that still points to `digest`, but not the manifest. The registry rejects pushes meanwhile.
   * @returns `false` if the tag points to another image
   * @throws RegistryUnavailable
   */
  untag(tag: RepositoryTag, digest: string): Promise<boolean>;
  /** Deletes repositories completely. The registry rejects pushes during the deletion. @throws RegistryUnavailable */
  removeRepositories(repositories: readonly string[]): Promise<void>;
  /**
   * Returns what a garbage collection would remove now. Users can still push images meanwhile.
   * @throws RegistryUnavailable
   */
  preview(ask: CollectionRequest): Promise<Collected>;
  /**
   * Removes the data that `ask` returns, untagged manifests and unused layers.
   * @param ask called while the registry rejects pushes, so that no push can make its result outdated
   * @throws RegistryUnavailable
   */
  collect(ask: () => CollectionRequest): Promise<Collected>;
  /**
   * Returns the total size on disk of all layers, manifests and unfinished uploads, in bytes.
   * @throws RegistryUnavailable
   */
  bytesOnDisk(): Promise<number>;
  /**
   * Returns the size on disk of repositories in bytes, with untagged data and unfinished uploads. Shared data counts
   * once.
   * @throws RegistryUnavailable
   */
  bytesOf(repositories: readonly string[]): Promise<number>;
}
