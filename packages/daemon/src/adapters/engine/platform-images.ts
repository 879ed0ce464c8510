/**
 * Platform images are Docker images that Davit builds on the server from Debian packages. They contain HAProxy, the
 * registry, the DNS resolver or a database.
 */

import type { PlatformProblemCode } from '@davit/api';

export interface PackageVersion {
  name: string;
  version: string;
}

/**
 * Outdated Debian package of a platform image. The Debian repositories have another version of the package, or have
 * removed the package.
 */
export interface PackageChange {
  name: string;
  from: string;
  /** Version of the package in the Debian repositories. `null` if the repositories no longer have the package. */
  to: string | null;
}

export interface PlatformImage {
  /**
   * Image id in Docker, `sha256:…`. Containers start from the image id instead of a tag, because users who can pull
   * images could move the tag.
   */
  imageId: string;
  /**
   * Hash of the definition from which the image was built. The definition contains, for example, the list of Debian
   * packages.
   */
  recipe: string;
  /** Debian packages whose files are in the image, sorted by name. */
  packages: PackageVersion[];
  /** Build time of the image in milliseconds since the epoch. */
  builtAt: number;
}

/** Database record of a Docker image that Davit built for one of its own components, such as HAProxy. */
export interface PlatformImageRecord extends PlatformImage {
  /** Name of the Docker image in Davit, for example `haproxy`. */
  name: string;
  /**
   * Time of the last check for newer packages in milliseconds since the epoch, or `null` if unknown. A build sets this
   * field to the time when its package lists were downloaded.
   */
  checkedAt: number | null;
  /**
   * Newer Debian packages that are not yet in a built image. Each build empties the list, even if the new image does
   * not work.
   */
  available: PackageChange[];
  /** Previous image of this component. `null` when all containers of the component use the current image. */
  previous: PlatformImage | null;
  /**
   * Newer image that did not work on this Davit instance, or `null`. Davit tries to use the image again at the next
   * check for updates.
   */
  keptBack: PlatformImage | null;
}

export interface PlatformImageRecords {
  find(name: string): PlatformImageRecord | null;
  /** Returns the records of all Docker images that Davit built for its own components, sorted by image name. */
  all(): PlatformImageRecord[];
  /** Saves the database record of an image that Davit has built. The record is on disk when the method returns. */
  put(record: PlatformImageRecord): void;
}

/**
 * Error code for a Docker image that Davit builds itself. The code says why the build or the check for newer packages
 * failed.
 */
export type PlatformFailureCode = Exclude<PlatformProblemCode, 'engine_unavailable'>;

/**
 * Error for a failed build of a platform image, or a failed check for newer packages. Containers and stored data stay
 * unchanged. `cause` is only for the log.
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
 * Error for a new platform image that does not work on this Davit instance. The message and `cause` are only for the
 * log.
 */
export class PlatformImageRefused extends Error {
  override name = 'PlatformImageRefused';
}

/**
 * Builds platform images and replaces containers that use older images. After an error, callers can call each method
 * again.
 */
export interface PlatformImageMaker {
  /**
   * Returns the names of all images that this Davit instance can build, for example `haproxy`. Some of these images may
   * not be built yet.
   */
  names(): readonly string[];
  /**
   * Ensures that a platform image exists. If the database has no record of the image, the method builds the image and
   * saves a record.
   * @returns image id in Docker
   */
  ensure(name: string): Promise<string>;
  /**
   * Downloads the current Debian package lists and verifies their signatures.
   * @throws PlatformImageFailed
   */
  refresh(signal: AbortSignal): Promise<void>;
  /**
   * Returns the packages that have a newer version in Debian, or that Debian has removed.
   * @throws PlatformImageFailed
   */
  newer(packages: readonly PackageVersion[], signal: AbortSignal): Promise<PackageChange[]>;
  /**
   * Builds a platform image from the newest Debian packages. Running containers keep using the old image.
   * @throws PlatformImageFailed
   */
  make(name: string, signal: AbortSignal): Promise<PlatformImage>;
  /**
   * Tests a new platform image. The method starts the programs of the image in separate containers.
   * @throws PlatformImageRefused
   */
  verify(name: string, imageId: string, signal: AbortSignal): Promise<void>;
  /**
   * Replaces containers that use an old image. Database containers are replaced in their maintenance window.
   * @throws PlatformImageRefused if a running container still uses an old image
   */
  rollOut(name: string, signal: AbortSignal): Promise<void>;
  /**
   * Updates the tags that protect this Davit instance's images. Unused images lose their tags, so that Docker can
   * delete the images. Each used image gets a tag.
   * @param used image name by image id
   */
  collect(used: ReadonlyMap<string, string>): Promise<void>;
}

/** Image builder that does nothing, for a Davit instance that does not build its own Docker images. */
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
