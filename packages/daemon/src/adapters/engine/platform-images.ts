/**
 * Platform images are Docker images that Davit builds on the server from Debian packages. They contain HAProxy, the
 * registry, the DNS resolver or a database.
 *
 * Davit starts containers by the image id, because a tag is not safe. Anyone who can pull images could move the tag to
 * another image.
 */

import type { PlatformProblemCode } from '@davit/api';

export interface PackageVersion {
  name: string;
  version: string;
}

/**
 * Debian package in one of Davit's own Docker images that has changed in the Debian repositories. The repositories now
 * have another version of the package, or no longer have the package.
 */
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

/** Database record of a Docker image that Davit has built for one of its own components, such as HAProxy. */
export interface PlatformImageRecord extends PlatformImage {
  /** Name that Davit uses for the Docker image, for example `haproxy`. */
  name: string;
  /**
   * Time of the last check for newer packages, in milliseconds since the epoch. If no check has run yet, this is the
   * download time of the package lists from which the image was built. `null` if that time is unknown.
   */
  checkedAt: number | null;
  /**
   * Newer Debian packages for which Davit has not built an updated image yet. The list is emptied when Davit has built
   * the image, even if the new image does not work.
   */
  available: PackageChange[];
  /** Previous image of this component. `null` as soon as all its containers use the current image. */
  previous: PlatformImage | null;
  /**
   * Newer Docker image that did not work on this Davit instance, or `null`. The next check for updates tries it again.
   */
  keptBack: PlatformImage | null;
}

export interface PlatformImageRecords {
  find(name: string): PlatformImageRecord | null;
  /** Returns the records of all Docker images that Davit built for its own components, sorted by image name. */
  all(): PlatformImageRecord[];
  /** Saves the database record of an image that Davit has built. When the method returns, the record is on disk. */
  put(record: PlatformImageRecord): void;
}

/**
 * Error code for a Docker image that Davit builds itself. It says why the build or the check for newer packages failed.
 */
export type PlatformFailureCode = Exclude<PlatformProblemCode, 'engine_unavailable'>;

/**
 * Error for a Docker image that Davit builds itself: the build or the check for newer packages failed. The containers
 * and the stored image data do not change. The field `cause` is only for the log.
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
 * Error for a new Docker image that Davit built for one of its own components, such as HAProxy. The image does not work
 * on this Davit instance. The message and the field `cause` are only for the log.
 */
export class PlatformImageRefused extends Error {
  override name = 'PlatformImageRefused';
}

/**
 * Builds platform images and replaces the containers that run from them. Callers can repeat each method after an error.
 */
export interface PlatformImageMaker {
  /**
   * Returns the names of all Docker images that this Davit instance can build for its own components, for example
   * `haproxy`. Some of these images may not exist yet.
   */
  names(): readonly string[];
  /**
   * Makes sure that the Docker image of one of Davit's own components exists. If Davit has not recorded such an image,
   * builds the image and records it.
   * @returns id of the image in Docker
   */
  ensure(name: string): Promise<string>;
  /**
   * Downloads the current Debian package lists and verifies their signatures.
   * @throws PlatformImageFailed
   */
  refresh(signal: AbortSignal): Promise<void>;
  /**
   * Returns the outdated packages of an image. A package is outdated if Debian has a newer version of it, or no longer
   * has it.
   * @throws PlatformImageFailed if the check fails
   */
  newer(packages: readonly PackageVersion[], signal: AbortSignal): Promise<PackageChange[]>;
  /**
   * Builds a Docker image for one of Davit's own components from the newest Debian packages. The running containers
   * keep their old image.
   * @throws PlatformImageFailed if the build fails
   */
  make(name: string, signal: AbortSignal): Promise<PlatformImage>;
  /**
   * Starts the programs of a new platform image in separate containers, to test whether the image works.
   * @throws PlatformImageRefused
   */
  verify(name: string, imageId: string, signal: AbortSignal): Promise<void>;
  /**
   * Replaces the running containers of one of Davit's own components, such as HAProxy. The new containers use the
   * current Docker image of the component. Database containers are not replaced, because they wait for their
   * maintenance window.
   * @throws PlatformImageRefused if a running container still uses another image
   */
  rollOut(name: string, signal: AbortSignal): Promise<void>;
  /**
   * Removes this Davit instance's tags from unused images. Docker can then delete an image if no other tag and no
   * container uses the image. Each used image keeps or gets a tag of this Davit instance.
   * @param used map from image id to image name, for all used images
   */
  collect(used: ReadonlyMap<string, string>): Promise<void>;
}

/** Image builder for a Davit instance that does not build its own Docker images. It does nothing. */
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
