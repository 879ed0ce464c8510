/**
 * Interface of the Davit instance's own registry, to which users push images. Each request needs a token that the Davit
 * instance has signed.
 */

import type { Readable } from 'node:stream';
import type { RegistryProblemCode } from '@davit/api';
import type { ImageParts } from './remote/manifest.ts';

/**
 * Address on which the registry listens. The proxy uses the same port on 127.0.0.1, so the registry needs another
 * address. On Linux, all addresses in 127.0.0.0/8 are loopback addresses.
 */
export const REGISTRY_ADDRESS = '127.0.0.2';

export type RegistryAction = 'pull' | 'push' | 'delete';

/** Actions that a token allows in one repository. A repository name has the form `project/environment/app`. */
export interface RegistryAccess {
  repository: string;
  actions: RegistryAction[];
}

/** Values for the registry's configuration file. If a value changes, Davit replaces the registry container. */
export interface RegistrySetup {
  /** Port on which the registry listens, together with the address `REGISTRY_ADDRESS`. */
  port: number;
  /** Absolute URL of the token service. In responses to clients, the proxy replaces this URL with the public URL. */
  realm: string;
  /**
   * Required values in each token for the registry. `service` is the value of the claim `aud` (audience), and `issuer`
   * is the value of the claim `iss`.
   */
  service: string;
  issuer: string;
  /**
   * Certificate in PEM format with which the registry verifies tokens. The daemon signs the tokens with the private key
   * of this certificate.
   */
  certificate: string;
  /** URL to which the registry sends notifications about pushes. Each notification contains the bearer secret. */
  hook: { url: string; secret: string };
}

export interface RegistryStatus {
  kind: 'distribution' | 'memory';
  running: boolean;
  version: string | null;
  /**
   * Start time of the registry process in milliseconds since the epoch, or `null` if the registry does not run. A
   * restart loses unsent notifications.
   */
  startedAt: number | null;
  /** `true` if the registry rejects pushes at the moment, because Davit is removing tags or unused layers. */
  readOnly: boolean;
  /** Error message that says why the registry does not run or could not be replaced. `null` if there is no problem. */
  problem: string | null;
  problemCode: RegistryProblemCode | null;
}

/** Response of the registry to a client that requested the tags of a repository. */
export type ClientTags =
  /** All tags of the repository, not sorted. */
  | { tags: string[] }
  /** The registry rejected the request, for example because the client has no token for the repository. */
  | { refusal: RegistryRefusal };

export interface RegistryRefusal {
  /** HTTP status of the registry's response. */
  status: number;
  /**
   * Value of the header `WWW-Authenticate`, which tells the client where to get a token. `null` if the header is
   * missing.
   */
  challenge: string | null;
  /** Body of the response in the error format of the registry protocol, or `null` if the body has another format. */
  body: object | null;
}

/** Manifest of an image in the registry. */
export interface RegistryManifest {
  digest: string;
  mediaType: string;
  /**
   * Compressed size in bytes of the image configuration and all layers. For an image index, the value is the total size
   * of all images.
   */
  bytes: number;
}

/** The images of a manifest or of an image index that the repository contains. */
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

/** Data that a garbage collection of the registry must remove or keep. */
export interface CollectionRequest {
  /**
   * Map from repository to the digests of manifests that are kept even without a tag. If an image index is kept, all
   * its images are kept.
   */
  keep: ReadonlyMap<string, ReadonlySet<string>>;
  tags: readonly RepositoryTag[];
  /** Names of repositories to remove completely. */
  repositories: readonly string[];
  /**
   * Names of repositories to which a push may be running. The garbage collection keeps all data of these repositories.
   */
  spare: ReadonlySet<string>;
  /**
   * Minimum age in milliseconds of data that may be removed. Newer data may belong to a push that has not sent its
   * manifest yet.
   */
  youngMs: number;
}

export interface Collected {
  /** Number of removed manifests without a tag. */
  manifests: number;
  blobs: number;
  freedBytes: number;
}

/** Tag of an image in the registry, with the digest to which the tag points. */
export interface RegistryHead {
  tag: string;
  digest: string;
  /** Push time in milliseconds since the epoch, with decimal places. */
  pushedAt: number;
}

/** Error for a registry that cannot be started or does not respond. The error message tells users what to do. */
export class RegistryUnavailable extends Error {
  override name = 'RegistryUnavailable';
}

export interface ImageRegistry extends AsyncDisposable {
  /**
   * Ensures that the registry runs with the given setup. Replaces an outdated container. The container keeps running
   * after this object is disposed.
   */
  ensure(setup: RegistrySetup): Promise<RegistryStatus>;
  status(): Promise<RegistryStatus>;
  /**
   * Returns the sorted names of all repositories, including repositories without tags.
   * @throws RegistryUnavailable
   */
  repositories(): Promise<string[]>;
  /**
   * Returns the tags of a repository, sorted. For an unknown repository, the list is empty.
   * @throws RegistryUnavailable
   */
  tags(repository: string): Promise<string[]>;
  /**
   * Requests the tags of a repository with the `Authorization` header of a client. The registry then decides whether
   * the client may read the tags.
   * @throws RegistryUnavailable
   */
  tagsFor(repository: string, authorization: string | undefined): Promise<ClientTags>;
  /**
   * Returns tags with their digests, oldest push first. The method also works while the registry is stopped.
   * @param since minimum push time in milliseconds. The result can omit a tag that a push only moved to an existing
   * image.
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
   * Returns the digest to which a tag points, or `null` if the tag does not exist. This method is faster than reading
   * the manifest.
   * @throws RegistryUnavailable
   */
  digestOf(repository: string, reference: string): Promise<string | null>;
  /**
   * Makes an image of the repository `from` available in the repository `to`, without a tag. Repeated calls have no
   * effect.
   * @returns `false` if the repository `from` does not have the image
   * @throws RegistryUnavailable, also while the registry rejects pushes
   */
  link(digest: string, from: string, to: string): Promise<boolean>;
  /**
   * Reads an image manifest. For an image index, also reads the manifests of the images in the index.
   * @throws RemoteProblem if layers may be missing or the registry does not respond, or the abort reason
   */
  readImages(repository: string, digest: string, signal: AbortSignal): Promise<StoredImages>;
  /**
   * Starts the download of a blob. The caller must read the stream to its end, destroy the stream, or abort the signal.
   * @throws RemoteProblem if the blob is missing or the registry fails, or the abort reason
   */
  openBlob(repository: string, digest: string, signal: AbortSignal): Promise<Readable>;
  /**
   * Returns whether a manifest is not a container image but, for example, a signature or a Helm chart. Returns `false`
   * if the manifest does not exist.
   * @throws RegistryUnavailable
   */
  isArtifact(repository: string, digest: string): Promise<boolean>;
  /**
   * Deletes a manifest and all tags that point to it.
   * @throws RegistryUnavailable
   */
  removeManifest(repository: string, digest: string): Promise<void>;
  /**
   * Deletes a tag that still points to `digest`, but does not delete the manifest. The registry rejects pushes during
   * the deletion.
   * @returns `false` if the tag points to another image
   * @throws RegistryUnavailable
   */
  untag(tag: RepositoryTag, digest: string): Promise<boolean>;
  /**
   * Deletes repositories completely. The registry rejects pushes during the deletion.
   * @throws RegistryUnavailable
   */
  removeRepositories(repositories: readonly string[]): Promise<void>;
  /**
   * Returns the amount of data that a garbage collection would remove now. Users can push images during this call.
   * @throws RegistryUnavailable
   */
  preview(ask: CollectionRequest): Promise<Collected>;
  /**
   * Runs a garbage collection. It removes the data that `ask` returns, manifests without a tag, and unused layers.
   * @param ask function that is called while the registry rejects pushes, so that no push can make its result outdated
   * @throws RegistryUnavailable
   */
  collect(ask: () => CollectionRequest): Promise<Collected>;
  /**
   * Returns the total size on disk in bytes of all layers, manifests and unfinished uploads.
   * @throws RegistryUnavailable
   */
  bytesOnDisk(): Promise<number>;
  /**
   * Returns the size on disk of some repositories in bytes. The size includes untagged data and unfinished uploads. The
   * size of shared data is added only once.
   * @throws RegistryUnavailable
   */
  bytesOf(repositories: readonly string[]): Promise<number>;
}
