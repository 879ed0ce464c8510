/**
 * Platform images: the images that this instance makes on the server from packages of the distribution and runs itself
 * (proxy, registry, resolver, databases). An instance uses each image by the recorded id and never by a tag. Any user
 * who can pull images can move a tag.
 */

import type { PlatformProblemCode } from '@davit/api';

export interface PackageVersion {
  name: string;
  version: string;
}

/** A package whose version in an image differs from the current version. */
export interface PackageChange {
  name: string;
  from: string;
  /** Current version, or `null` if the repositories no longer have the package. */
  to: string | null;
}

export interface PlatformImage {
  /** Content id of the engine, `sha256:…`. */
  imageId: string;
  /** Hash of the recipe from which the image was made. */
  recipe: string;
  /** Packages whose files are in the image, sorted by name. */
  packages: PackageVersion[];
  /** Build time in milliseconds since the epoch. */
  builtAt: number;
}

/** Record of one platform image of this instance. */
export interface PlatformImageRecord extends PlatformImage {
  /** Name of the image, for example `haproxy`. */
  name: string;
  /** Time of the last package lists that were compared with the image, in milliseconds, or `null` if none were. */
  checkedAt: number | null;
  /**
   * Newer packages that the last check found. The list is empty once an image with these packages is in use or kept
   * back.
   */
  available: PackageChange[];
  /** Image before this one. The field is set until all containers run from the new image. */
  previous: PlatformImage | null;
  /** Newer image that failed on this instance. The next check tries it again. */
  keptBack: PlatformImage | null;
}

export interface PlatformImageRecords {
  find(name: string): PlatformImageRecord | null;
  /** Returns all records, sorted by name. */
  all(): PlatformImageRecord[];
  /** Stores a record durably before it returns. */
  put(record: PlatformImageRecord): void;
}

/** Reason why a check or an update changed nothing. */
export type PlatformFailureCode = Exclude<PlatformProblemCode, 'engine_unavailable'>;

/** Error for a check or a build that failed and changed nothing. The cause is for the log. */
export class PlatformImageFailed extends Error {
  override name = 'PlatformImageFailed';
  readonly code: PlatformFailureCode;

  constructor(code: PlatformFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Error for a new image that does not work on this instance. The message and the cause are for the log. */
export class PlatformImageRefused extends Error {
  override name = 'PlatformImageRefused';
}

/**
 * Makes platform images and replaces the containers that run from them. Every method can be repeated after a partial
 * failure.
 */
export interface PlatformImageMaker {
  /** Returns the names of the images that this instance makes, with or without a record. */
  names(): readonly string[];
  /**
   * Finds the recorded image, or makes and records it.
   * @returns the image id of the engine
   */
  ensure(name: string): Promise<string>;
  /**
   * Downloads the current package lists and verifies their signatures.
   * @throws PlatformImageFailed
   */
  refresh(signal: AbortSignal): Promise<void>;
  /**
   * Returns the packages of an image for which the lists have a newer version or no version. A package without a
   * version may have been replaced by another package.
   * @throws PlatformImageFailed
   */
  newer(packages: readonly PackageVersion[], signal: AbortSignal): Promise<PackageChange[]>;
  /**
   * Makes an image from the newest packages of the lists. No container uses the image yet.
   * @throws PlatformImageFailed
   */
  make(name: string, signal: AbortSignal): Promise<PlatformImage>;
  /**
   * Checks an image in separate containers.
   * @throws PlatformImageRefused
   */
  verify(name: string, imageId: string, signal: AbortSignal): Promise<void>;
  /**
   * Replaces the running containers with containers of the recorded image. Databases are not replaced here: they wait
   * for the maintenance window.
   * @throws PlatformImageRefused if the running containers do not use the recorded image afterwards
   */
  rollOut(name: string, signal: AbortSignal): Promise<void>;
  /**
   * Removes this instance's tags from images that it does not use. The engine deletes an image once no instance and no
   * container uses it.
   * @param used names of images by their id; each of these images keeps or gets a tag of this instance
   */
  collect(used: ReadonlyMap<string, string>): Promise<void>;
}

/** Maker for an instance that makes no images. */
export const NO_IMAGES: PlatformImageMaker = {
  names: () => [],
  ensure: () => Promise.reject(new Error('this instance does not build images')),
  refresh: () => Promise.resolve(),
  newer: () => Promise.resolve([]),
  make: () => Promise.reject(new Error('this instance does not build images')),
  verify: () => Promise.resolve(),
  rollOut: () => Promise.resolve(),
  collect: () => Promise.resolve(),
};
