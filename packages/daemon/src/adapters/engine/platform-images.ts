/**
 * Platform images: the images that this instance makes on the server from the distribution's packages and runs itself
 * (proxy, registry, resolver, databases). An instance uses each by the id on record and never by a tag: every user who
 * can pull can move a tag.
 */

import type { PlatformProblemCode } from '@davit/api';

export interface PackageVersion {
  name: string;
  version: string;
}

/** A package with another version than an image has. */
export interface PackageChange {
  name: string;
  from: string;
  /** Null: the repositories do not have the package any more. */
  to: string | null;
}

export interface PlatformImage {
  /** The engine's content id, `sha256:…`. */
  imageId: string;
  /** Hash of the recipe that it was made by. */
  recipe: string;
  /** Packages whose files are in the image, by name. */
  packages: PackageVersion[];
  /** Milliseconds since the epoch. */
  builtAt: number;
}

/** What is on record of one platform image of this instance. */
export interface PlatformImageRecord extends PlatformImage {
  /** For example `haproxy`. */
  name: string;
  /** Time of the last package lists that were compared with the image, in milliseconds; `null` if none were. */
  checkedAt: number | null;
  /** Newer packages that the last check found; empty once an image with them is in use or kept back. */
  available: PackageChange[];
  /** Image before this one; set until everything runs from the new one. */
  previous: PlatformImage | null;
  /** Newer image that did not work on this instance; it is tried again with the next check. */
  keptBack: PlatformImage | null;
}

export interface PlatformImageRecords {
  find(name: string): PlatformImageRecord | null;
  /** By name. */
  all(): PlatformImageRecord[];
  /** Durable when it returns. */
  put(record: PlatformImageRecord): void;
}

/** Why a check or an update changed nothing. */
export type PlatformFailureCode = Exclude<PlatformProblemCode, 'engine_unavailable'>;

/** A check or a build failed; nothing was changed. The cause is for the log. */
export class PlatformImageFailed extends Error {
  override name = 'PlatformImageFailed';
  readonly code: PlatformFailureCode;

  constructor(code: PlatformFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** An image was made and does not work on this instance. The message and the cause are for the log. */
export class PlatformImageRefused extends Error {
  override name = 'PlatformImageRefused';
}

/** Makes platform images and replaces what runs from them. Every method may be repeated after any part of it was done. */
export interface PlatformImageMaker {
  /** Images that this instance makes, whether one is on record or not. */
  names(): readonly string[];
  /** Finds the image on record, or makes it and puts it on record. @returns the engine's id of it */
  ensure(name: string): Promise<string>;
  /**
   * Downloads the current package lists, and verifies their signatures.
   * @throws PlatformImageFailed
   */
  refresh(signal: AbortSignal): Promise<void>;
  /**
   * Packages of an image of which the lists have a newer version, or none: another package may have taken its place.
   * @throws PlatformImageFailed
   */
  newer(packages: readonly PackageVersion[], signal: AbortSignal): Promise<PackageChange[]>;
  /** Makes an image from the newest packages of the lists. Nothing runs from it yet. @throws PlatformImageFailed */
  make(name: string, signal: AbortSignal): Promise<PlatformImage>;
  /** Runs checks of an image in containers of their own. @throws PlatformImageRefused */
  verify(name: string, imageId: string, signal: AbortSignal): Promise<void>;
  /**
   * Replaces what runs by the image on record. Databases are not replaced here: they wait for the maintenance window.
   * @throws PlatformImageRefused if what runs is not the image on record after that
   */
  rollOut(name: string, signal: AbortSignal): Promise<void>;
  /**
   * Releases this instance's tags of images that it does not use. An image goes once no instance and no container uses it.
   * @param used names of images by their id; each of them keeps, or gets, a tag of this instance
   */
  collect(used: ReadonlyMap<string, string>): Promise<void>;
}

/** For an instance that makes none. */
export const NO_IMAGES: PlatformImageMaker = {
  names: () => [],
  ensure: () => Promise.reject(new Error('this instance makes no images')),
  refresh: () => Promise.resolve(),
  newer: () => Promise.resolve([]),
  make: () => Promise.reject(new Error('this instance makes no images')),
  verify: () => Promise.resolve(),
  rollOut: () => Promise.resolve(),
  collect: () => Promise.resolve(),
};
