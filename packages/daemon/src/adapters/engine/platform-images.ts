/**
 * Platform images are images that Davit builds on the server from Debian packages: HAProxy, the registry, the DNS
 * resolver and databases.
 */

import type { PlatformProblemCode } from '@davit/api';

export interface PackageVersion {
  name: string;
  version: string;
}

/**
 * Debian package of a platform image that is outdated: the repositories have another version of the package, or none.
 */
export interface PackageChange {
  name: string;
  from: string;
  /** Current version of the package. `null` if the Debian repositories no longer have the package. */
  to: string | null;
}

export interface PlatformImage {
  /**
   * Image id in Docker, `sha256:…`. Containers start from the id, because users who can pull images could move a tag to
   * another image.
   */
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
   * Time of the last check for newer packages, or of the download of the package lists for the build, in ms since the
   * epoch. `null` if unknown.
   */
  checkedAt: number | null;
  /**
   * Newer Debian packages that no build has used yet. Each build empties the list, even if the new image does not work.
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
 * Error if the build of a platform image or its check for newer packages failed. No container or stored data changes.
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

/** Error if a new platform image does not work on this Davit instance. The message and `cause` are only for the log. */
export class PlatformImageRefused extends Error {
  override name = 'PlatformImageRefused';
}

/**
 * Builds platform images and replaces the containers that run from them. Callers can repeat each method after an error.
 */
export interface PlatformImageMaker {
  /**
   * Returns the names of all images that this Davit instance can build, for example `haproxy`. Some may not exist yet.
   */
  names(): readonly string[];
  /**
   * Makes sure that a platform image exists: builds and records the image if it is not recorded.
   * @returns image id in Docker
   */
  ensure(name: string): Promise<string>;
  /**
   * Downloads the current Debian package lists and verifies their signatures.
   * @throws PlatformImageFailed
   */
  refresh(signal: AbortSignal): Promise<void>;
  /**
   * Returns the packages that have a newer version in Debian or were removed from Debian.
   * @throws PlatformImageFailed
   */
  newer(packages: readonly PackageVersion[], signal: AbortSignal): Promise<PackageChange[]>;
  /**
   * Builds a platform image from the newest Debian packages. Running containers keep their old image.
   * @throws PlatformImageFailed
   */
  make(name: string, signal: AbortSignal): Promise<PlatformImage>;
  /**
   * Starts the programs of a new platform image in separate containers, to test whether the image works.
   * @throws PlatformImageRefused
   */
  verify(name: string, imageId: string, signal: AbortSignal): Promise<void>;
  /**
   * Replaces containers with an old image. Database containers wait for their maintenance window.
   * @throws PlatformImageRefused if a running container still uses an old image
   */
  rollOut(name: string, signal: AbortSignal): Promise<void>;
  /**
   * Removes this Davit instance's tags from unused images, so that Docker can delete them, and tags all used images.
   * @param used image name by image id
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
