/**
 * Platform images: images that Davit builds on the server from Debian packages, for HAProxy, the registry, the DNS
 * resolver and databases. Davit starts each image by its recorded id and not by a tag, because anyone who can pull
 * images can move a tag to another image.
 */

import type { PlatformProblemCode } from '@davit/api';

export interface PackageVersion {
  name: string;
  version: string;
}

/** A Debian package in a platform image that has another version in the Debian repositories now. */
export interface PackageChange {
  name: string;
  from: string;
  /** Current version of the package. `null` if the Debian repositories no longer have the package. */
  to: string | null;
}

export interface PlatformImage {
  /** Image id in Docker, `sha256:…`. */
  imageId: string;
  /**
   * Hash of the image definition from which the image was built. The definition lists, for example, the Debian
   * packages.
   */
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
   * Time of the last check for newer packages, in milliseconds since the epoch. If no check has run yet, this is the
   * download time of the package lists from which the image was built. `null` if that time is unknown.
   */
  checkedAt: number | null;
  /**
   * Newer Debian packages that the last check found. The list is empty when containers use an image with these
   * packages. It is also empty if such an image did not work and is stored in `keptBack`.
   */
  available: PackageChange[];
  /**
   * Image of the same component that the containers used before the current image. `null` as soon as all containers run
   * from the current image.
   */
  previous: PlatformImage | null;
  /** Newer platform image that failed on this Davit instance, or `null`. The next check for updates tries it again. */
  keptBack: PlatformImage | null;
}

export interface PlatformImageRecords {
  find(name: string): PlatformImageRecord | null;
  /** Returns the records of all platform images, sorted by name. */
  all(): PlatformImageRecord[];
  /** Stores a platform image's record. The record is on disk when the call returns. */
  put(record: PlatformImageRecord): void;
}

/** Error code that says why a check for newer packages or the build of a platform image failed. */
export type PlatformFailureCode = Exclude<PlatformProblemCode, 'engine_unavailable'>;

/**
 * Error for a failed check or build of a platform image. Containers and image records stay unchanged. The field `cause`
 * is only for the log.
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
 * Builds platform images and replaces the containers that run from them. Callers can repeat each method after an error.
 */
export interface PlatformImageMaker {
  /**
   * Returns the names of the platform images that this Davit instance can build, with or without a record in the
   * database.
   */
  names(): readonly string[];
  /**
   * Makes sure that a platform image exists: finds the image that this Davit instance has recorded, or builds and
   * records it.
   * @returns id of the image in Docker
   */
  ensure(name: string): Promise<string>;
  /**
   * Downloads the current Debian package lists and verifies their signatures.
   * @throws PlatformImageFailed
   */
  refresh(signal: AbortSignal): Promise<void>;
  /**
   * Returns the packages of an image for which the Debian package lists have a newer version or no version at all. A
   * package without a version may have been replaced by another package.
   * @throws PlatformImageFailed
   */
  newer(packages: readonly PackageVersion[], signal: AbortSignal): Promise<PackageChange[]>;
  /**
   * Builds a platform image from the newest packages in the Debian package lists. No container uses the new image yet
   * after the call.
   * @throws PlatformImageFailed
   */
  make(name: string, signal: AbortSignal): Promise<PlatformImage>;
  /**
   * Starts the programs of a new platform image in separate containers, to test whether the image works.
   * @throws PlatformImageRefused
   */
  verify(name: string, imageId: string, signal: AbortSignal): Promise<void>;
  /**
   * Replaces running containers with containers of the current platform image. Database containers are not replaced,
   * because they wait for their maintenance window.
   * @throws PlatformImageRefused if a running container still uses another image
   */
  rollOut(name: string, signal: AbortSignal): Promise<void>;
  /**
   * Removes this Davit instance's tags from unused images, so that Docker can delete them. Docker deletes an image when
   * no tag and no container uses it.
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
