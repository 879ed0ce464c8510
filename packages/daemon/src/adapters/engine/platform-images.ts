/**
 * Platform images: images that Davit builds on the server from Debian packages, for HAProxy, the registry, the DNS
 * resolver and databases. Davit uses each image by its recorded id and never by a tag. A user who can pull images can
 * also move a tag to another image.
 */

import type { PlatformProblemCode } from '@davit/api';

export interface PackageVersion {
  name: string;
  version: string;
}

/** A Debian package in a platform image whose version differs from the current version in the Debian repositories. */
export interface PackageChange {
  name: string;
  from: string;
  /** Current version of the package. `null` if the Debian repositories no longer have the package. */
  to: string | null;
}

export interface PlatformImage {
  /** Image id in Docker, `sha256:…`. */
  imageId: string;
  /** Hash of the recipe from which the image was built. */
  recipe: string;
  /** Debian packages whose files are in the image, sorted by name. */
  packages: PackageVersion[];
  /** Build time of the image in milliseconds since the epoch. */
  builtAt: number;
}

/** Database record of one platform image of this Davit instance. */
export interface PlatformImageRecord extends PlatformImage {
  /** Name of the platform image, for example `haproxy`. */
  name: string;
  /**
   * Time of the last check for newer packages, in milliseconds since the epoch. Before the first check, this field
   * has the download time of the package lists from which the image was built. `null` if the download time is
   * unknown.
   */
  checkedAt: number | null;
  /**
   * Newer Debian packages that the last check found. The list becomes empty when the containers use an image with
   * these packages, or when such an image is stored in `keptBack`.
   */
  available: PackageChange[];
  /** Platform image that the containers used before. `null` if all containers already run from the new image. */
  previous: PlatformImage | null;
  /**
   * Newer platform image that did not work on this Davit instance, or `null`. The next check for updates tries the
   * image again.
   */
  keptBack: PlatformImage | null;
}

export interface PlatformImageRecords {
  find(name: string): PlatformImageRecord | null;
  /** Returns the records of all platform images, sorted by name. */
  all(): PlatformImageRecord[];
  /** Stores a platform image's record. The record is on disk when the call returns. */
  put(record: PlatformImageRecord): void;
}

/**
 * Error code that says why Davit could not check for newer packages of a platform image or could not build the image.
 */
export type PlatformFailureCode = Exclude<PlatformProblemCode, 'engine_unavailable'>;

/**
 * Error for a failed check or build of a platform image. The containers and the image record are unchanged. The field
 * `cause` is only for the log.
 */
export class PlatformImageFailed extends Error {
  override name = 'PlatformImageFailed';
  readonly code: PlatformFailureCode;

  constructor(code: PlatformFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Error for a new platform image that does not work on this Davit instance. The message and the field `cause` are only
 * for the log.
 */
export class PlatformImageRefused extends Error {
  override name = 'PlatformImageRefused';
}

/**
 * Builds platform images and replaces the containers that run from those images. Every method can be repeated after a
 * partial failure.
 */
export interface PlatformImageMaker {
  /**
   * Returns the names of the platform images that this Davit instance can build, with or without a record in the
   * database.
   */
  names(): readonly string[];
  /**
   * Finds the recorded platform image, or builds and records the image.
   * @returns the image id of Docker
   */
  ensure(name: string): Promise<string>;
  /**
   * Downloads the current Debian package lists and verifies their signatures.
   * @throws PlatformImageFailed
   */
  refresh(signal: AbortSignal): Promise<void>;
  /**
   * Returns the packages of an image for which the Debian package lists have a newer version or no version. A package
   * without a version may have been replaced by another package.
   * @throws PlatformImageFailed
   */
  newer(packages: readonly PackageVersion[], signal: AbortSignal): Promise<PackageChange[]>;
  /**
   * Builds a platform image from the newest packages in the Debian package lists. No container uses the new image yet.
   * @throws PlatformImageFailed
   */
  make(name: string, signal: AbortSignal): Promise<PlatformImage>;
  /**
   * Starts the programs of a new platform image in separate containers, to test whether the image works.
   * @throws PlatformImageRefused
   */
  verify(name: string, imageId: string, signal: AbortSignal): Promise<void>;
  /**
   * Replaces the running containers with containers of the recorded platform image. Database containers are not
   * replaced until their maintenance window.
   * @throws PlatformImageRefused if a running container still uses another image
   */
  rollOut(name: string, signal: AbortSignal): Promise<void>;
  /**
   * Removes this Davit instance's tags from unused images. Docker deletes an image when no tag and no container uses
   * it.
   * @param used names of the used images by image id; each used image keeps or gets a tag of this Davit instance
   */
  collect(used: ReadonlyMap<string, string>): Promise<void>;
}

/** `PlatformImageMaker` for a Davit instance that builds no platform images. */
export const NO_IMAGES: PlatformImageMaker = {
  names: () => [],
  ensure: () => Promise.reject(new Error('This instance does not build images.')),
  refresh: () => Promise.resolve(),
  newer: () => Promise.resolve([]),
  make: () => Promise.reject(new Error('This instance does not build images.')),
  verify: () => Promise.resolve(),
  rollOut: () => Promise.resolve(),
  collect: () => Promise.resolve(),
};
