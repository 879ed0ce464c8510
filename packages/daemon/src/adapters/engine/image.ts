import type { MadeEngine, MadeImage } from './made-images.ts';

export interface Image {
  /** Content id of the engine (`sha256:…`). Containers are created from this id, never from a tag. */
  id: string;
  /**
   * Manifest digest (`sha256:…`) that the image has in the registry of the reference. `null` for an image that was
   * built or loaded at the engine, even if the image was pushed to other repositories. `null` also for an image that
   * was found by its id.
   */
  digest: string | null;
  /** TCP ports that the image EXPOSEs, in ascending order. */
  exposedPorts: number[];
  /** `true` if the image has a HEALTHCHECK with a command. */
  hasHealthcheck: boolean;
  sizeBytes: number;
  /**
   * `true` if a Davit instance on this engine pulled the image from the registry of the reference. This can be another
   * instance.
   */
  isFromGateway: boolean;
}

/** An image and a tag of this instance that keeps it. */
export interface HeldImage {
  tag: string;
  imageId: string;
  /** Size of the whole image. A layer that several images share counts for each of them. */
  sizeBytes: number;
}

/** Credentials for a registry. Each call passes the credentials, and an adapter never stores them. */
export interface RegistryAuth {
  username: string;
  password: string;
}

/** Calls that find, make, pull, tag and remove images. */
export interface EngineImages {
  /** Returns the database images that can be made on this server. Sends no network requests. */
  madeImages(): Promise<MadeImage[]>;
  /**
   * Makes a database image, or finds it if it exists. The file `made-images.ts` describes the behaviour of such images.
   * The call takes between milliseconds and about two minutes.
   * @throws EngineRefused with the necessary action if the image cannot be made
   */
  makeImage(engine: MadeEngine, version: string, signal: AbortSignal): Promise<Image>;
  /**
   * Finds an image that the engine has under exactly this name, in any spelling. Returns `null` if the engine has none.
   * Sends no request to a registry.
   * @throws EngineRefused if the text is not an image reference
   */
  findImage(reference: string, signal?: AbortSignal): Promise<Image | null>;
  /**
   * Finds an image by its complete id `sha256:…`. Returns `null` if the engine has none.
   * @throws EngineRefused if the text is not an image id
   */
  findImageById(id: string, signal?: AbortSignal): Promise<Image | null>;
  /**
   * Requests the manifest digest from the registry of the reference, through the engine. Pulls nothing.
   * @throws ImageNotFound if the registry does not have the image
   * @throws EngineRefused with the text of the registry for all other failures
   */
  findRemoteImage(reference: string, auth: RegistryAuth | null, signal: AbortSignal): Promise<string>;
  /**
   * Pulls a reference. Reads every message of the stream, because an engine reports a failed pull inside a response
   * with status 200.
   * @throws ImageNotFound if the registry does not have the image
   * @throws EngineRefused with the text of the registry for all other failures
   */
  pullImage(reference: string, auth: RegistryAuth | null, signal: AbortSignal): Promise<Image>;
  /**
   * Tags an image with a reference, as a pull does. If another image has the tag, the tag moves.
   * @throws ImageNotFound
   */
  nameImage(imageId: string, reference: string): Promise<void>;
  /**
   * Protects an image from garbage collection with a local tag of this instance (`davit-<id>/<app>:<deployment>`).
   * Idempotent.
   */
  holdImage(imageId: string, tag: string): Promise<void>;
  /**
   * Removes only a tag of this instance. Succeeds if the tag does not exist. Refuses a tag that does not belong to this
   * instance.
   */
  releaseImage(tag: string): Promise<void>;
  /** Returns the tags of this instance in the engine. */
  heldImages(): Promise<string[]>;
  /** Returns the tags of this instance with the id and the size of each image. */
  inspectHeld(): Promise<HeldImage[]>;
  /**
   * Removes the name under which an image was pulled, if the name still refers to that image. The engine deletes an
   * image with its last name. Succeeds if the name does not exist or refers to another image.
   * @returns `false` if a container uses the image and this is the last name of the image
   */
  untagImage(reference: string, imageId: string): Promise<boolean>;
  /**
   * Checks whether a registry accepts credentials.
   * @throws EngineRefused
   */
  checkRegistry(host: string, auth: RegistryAuth, signal: AbortSignal): Promise<void>;
}
