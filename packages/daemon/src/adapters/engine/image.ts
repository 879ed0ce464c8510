import type { MadeEngine, MadeImage } from './made-images.ts';

export interface Image {
  /**
   * Image id in Docker (`sha256:…`). Containers are created from the image id instead of a tag, because a tag can move
   * to another image.
   */
  id: string;
  /**
   * Digest of the image's manifest in the registry (`sha256:…`). `null` for a local image, or for an image that was
   * found by its image id.
   */
  digest: string | null;
  /** TCP ports of the image's EXPOSE instructions, in ascending order. */
  exposedPorts: number[];
  /** `true` if the image has a HEALTHCHECK instruction with a command. */
  hasHealthcheck: boolean;
  sizeBytes: number;
  /**
   * `true` if Docker pulled the image through the registry gateway of a Davit instance. The gateway forwards pulls to
   * other registries.
   */
  isFromGateway: boolean;
}

/** An image that this Davit instance uses, with the tag that protects the image from deletion. */
export interface HeldImage {
  tag: string;
  imageId: string;
  /** Size of the whole image in bytes, including layers that the image shares with other images. */
  sizeBytes: number;
}

/** Tag of an image in Docker. The other fields decide whether a project may use the image. */
export interface LocalTag extends Pick<Image, 'id' | 'digest' | 'isFromGateway' | 'sizeBytes'> {
  tag: string;
  /** Time when the image was built, in milliseconds since the epoch. */
  builtAt: number;
}

/**
 * User name and password for an image registry. Callers pass the credentials with each call, because the Docker adapter
 * never stores credentials.
 */
export interface RegistryAuth {
  username: string;
  password: string;
}

export interface EngineImages {
  /** Returns the database images that can be built on this server. The call needs no network. */
  madeImages(): Promise<MadeImage[]>;
  /**
   * Builds a database image (see `made-images.ts`), or finds the image if it already exists. A build takes up to two
   * minutes.
   * @throws EngineRefused with a message that tells the user what to do
   */
  makeImage(engine: MadeEngine, version: string, signal: AbortSignal): Promise<Image>;
  /**
   * Finds a local image by its reference. The reference may omit the default registry. Returns `null` if the image does
   * not exist.
   * @throws EngineRefused for an invalid reference
   */
  findImage(reference: string, signal?: AbortSignal): Promise<Image | null>;
  /**
   * Finds a local image by its complete id `sha256:…`. Returns `null` if the image does not exist.
   * @throws EngineRefused for an invalid id
   */
  findImageById(id: string, signal?: AbortSignal): Promise<Image | null>;
  /**
   * Returns the tags of all local images in one repository, in any order.
   * @param repository image name without a tag; the name may omit the default registry
   * @throws EngineRefused for an invalid name
   */
  localTags(repository: string, signal?: AbortSignal): Promise<LocalTag[]>;
  /**
   * Fetches the digest of an image's manifest from the registry, without pulling the image.
   * @throws ImageNotFound
   * @throws EngineRefused for other failures, with the registry's error text
   */
  findRemoteImage(reference: string, auth: RegistryAuth | null, signal: AbortSignal): Promise<string>;
  /**
   * Pulls an image.
   * @param project project id; the number of parallel downloads per project is limited
   * @throws ImageNotFound
   * @throws EngineRefused for other failures, with the registry's error text
   */
  pullImage(reference: string, auth: RegistryAuth | null, signal: AbortSignal, project?: number | null): Promise<Image>;
  /**
   * Adds a reference to a local image, like `docker tag`. If another image already has this reference, the reference
   * moves to the given image.
   * @throws ImageNotFound
   */
  nameImage(imageId: string, reference: string): Promise<void>;
  /**
   * Protects an image from garbage collection. The method adds a local tag of this Davit instance
   * (`davit-<id>/<app>:<deployment>`). The call is idempotent.
   */
  holdImage(imageId: string, tag: string): Promise<void>;
  /**
   * Removes a tag that protects an image from deletion. The call also succeeds if the tag does not exist.
   * @throws EngineRefused for a tag that does not belong to this Davit instance
   */
  releaseImage(tag: string): Promise<void>;
  /** Returns the image tags of this Davit instance. */
  heldImages(): Promise<string[]>;
  /** Returns the image tags of this Davit instance, with the id and the size of each image. */
  inspectHeld(): Promise<HeldImage[]>;
  /**
   * Removes a tag of a pulled image, if the tag still refers to this image. Docker deletes images that have no tag.
   * @returns `false` if a container uses the image
   */
  untagImage(reference: string, imageId: string): Promise<boolean>;
  /**
   * Checks whether a registry accepts a user name and password.
   * @throws EngineRefused
   */
  checkRegistry(host: string, auth: RegistryAuth, signal: AbortSignal): Promise<void>;
}
