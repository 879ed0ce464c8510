import type { MadeEngine, MadeImage } from './made-images.ts';

export interface Image {
  /**
   * Image id in Docker (`sha256:…`). Containers are created from this id and not from a tag, because a tag can move to
   * another image.
   */
  id: string;
  /**
   * Digest of the image's manifest in the registry (`sha256:…`). `null` if the image was built or loaded locally, or
   * if the image was found by its image id.
   */
  digest: string | null;
  /** TCP ports of the image's EXPOSE instructions, in ascending order. */
  exposedPorts: number[];
  /** `true` if the image has a HEALTHCHECK instruction with a command. */
  hasHealthcheck: boolean;
  sizeBytes: number;
  /**
   * `true` if Docker pulled the image through the registry gateway of this or another Davit instance. A registry
   * gateway forwards pulls to the registry in the image reference.
   */
  isFromGateway: boolean;
}

/** An image and the tag that protects it from deletion, because this Davit instance uses the image. */
export interface HeldImage {
  tag: string;
  imageId: string;
  /** Size of the whole image in bytes. The size includes layers that the image shares with other images. */
  sizeBytes: number;
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
  /** Returns the database images that can be built on this server. Needs no network. */
  madeImages(): Promise<MadeImage[]>;
  /**
   * Builds a database image on the server, or finds the existing image. `made-images.ts` describes these images. A
   * build takes up to about two minutes.
   * @throws EngineRefused if the image cannot be built; the message says what to do
   */
  makeImage(engine: MadeEngine, version: string, signal: AbortSignal): Promise<Image>;
  /**
   * Finds a local image by its reference, without a request to a registry. References with and without the default
   * registry are equal. Returns `null` if the image does not exist locally.
   * @throws EngineRefused if the text is not an image reference
   */
  findImage(reference: string, signal?: AbortSignal): Promise<Image | null>;
  /**
   * Finds a local image by its complete id `sha256:…`. Returns `null` if the image does not exist locally.
   * @throws EngineRefused if the text is not an image id
   */
  findImageById(id: string, signal?: AbortSignal): Promise<Image | null>;
  /**
   * Fetches the digest of an image's manifest from the registry, through Docker. Does not pull the image.
   * @throws ImageNotFound if the registry does not have the image
   * @throws EngineRefused for all other failures, with the error text of the registry
   */
  findRemoteImage(reference: string, auth: RegistryAuth | null, signal: AbortSignal): Promise<string>;
  /**
   * Pulls an image. Reads every message of Docker's response, because Docker reports a failed pull inside a response
   * with status 200.
   * @param project id of the project that pulls the image; Davit limits how many layers the pulls of one project
   * download from other registries in parallel
   * @throws ImageNotFound if the registry does not have the image
   * @throws EngineRefused for all other failures, with the error text of the registry
   */
  pullImage(reference: string, auth: RegistryAuth | null, signal: AbortSignal, project?: number | null): Promise<Image>;
  /**
   * Adds a reference to a local image, like `docker tag`. If another image has this reference, the reference moves to
   * the new image.
   * @throws ImageNotFound
   */
  nameImage(imageId: string, reference: string): Promise<void>;
  /**
   * Protects an image from garbage collection: adds a local tag of this Davit instance
   * (`davit-<id>/<app>:<deployment>`). Idempotent.
   */
  holdImage(imageId: string, tag: string): Promise<void>;
  /**
   * Removes a tag with which this Davit instance protects an image from deletion. Succeeds if the tag does not exist.
   * @throws EngineRefused for a tag that does not belong to this Davit instance
   */
  releaseImage(tag: string): Promise<void>;
  /** Returns the image tags of this Davit instance. */
  heldImages(): Promise<string[]>;
  /** Returns the image tags of this Davit instance with the id and the size of each image. */
  inspectHeld(): Promise<HeldImage[]>;
  /**
   * Removes the name with which an image was pulled. Docker deletes the image if it has no other name. Also succeeds if
   * the name does not exist or now belongs to another image.
   * @returns `false` if the image has no other name and a container uses it
   */
  untagImage(reference: string, imageId: string): Promise<boolean>;
  /**
   * Checks whether a registry accepts a user name and password.
   * @throws EngineRefused
   */
  checkRegistry(host: string, auth: RegistryAuth, signal: AbortSignal): Promise<void>;
}
