import type { MadeEngine, MadeImage } from './made-images.ts';

export interface Image {
  /** The engine's own content id (`sha256:…`): containers are created from it, never from a tag. */
  id: string;
  /**
   * Manifest digest (`sha256:…`) that the registry of the reference gave the image. `null` if the image was built or loaded
   * at the engine, whatever other repositories it was pushed to, and for an image that was looked for by its id.
   */
  digest: string | null;
  /** TCP ports the image EXPOSEs, ascending. */
  exposedPorts: number[];
  /** The image has a HEALTHCHECK with a command. */
  hasHealthcheck: boolean;
  sizeBytes: number;
  /** An instance on this engine, this or another one, pulled it from the registry of the reference. */
  isFromGateway: boolean;
}

/** An image as one of our tags names it. */
export interface HeldImage {
  tag: string;
  imageId: string;
  /** All of it; layers that it shares with other images are counted with each. */
  sizeBytes: number;
}

/** Credentials for a registry, given per call and never kept by an adapter. */
export interface RegistryAuth {
  username: string;
  password: string;
}

/** Images: found, made, pulled, and kept from being collected. */
export interface EngineImages {
  /** The images of databases that can be made on this machine. Asks nothing of the network. */
  madeImages(): Promise<MadeImage[]>;
  /**
   * Makes one of them, or finds it; `made-images.ts` says what it promises. Takes from milliseconds to a minute or two.
   * @throws EngineRefused saying what to do when it cannot be made
   */
  makeImage(engine: MadeEngine, version: string, signal: AbortSignal): Promise<Image>;
  /**
   * Looks for an image that the engine already has under exactly this name, in any spelling; null when it has none. It
   * sends no request to a registry.
   * @throws EngineRefused for text that names no image
   */
  findImage(reference: string, signal?: AbortSignal): Promise<Image | null>;
  /** The same for a whole image id, `sha256:…`. @throws EngineRefused for anything else */
  findImageById(id: string, signal?: AbortSignal): Promise<Image | null>;
  /**
   * Asks the reference's registry, through the engine, for the manifest's digest; pulls nothing.
   * @throws ImageNotFound when the registry has no such image, EngineRefused with the registry's words otherwise
   */
  findRemoteImage(reference: string, auth: RegistryAuth | null, signal: AbortSignal): Promise<string>;
  /**
   * Pulls a reference. Every message of the stream is read: an engine reports a failed pull inside a 200.
   * @throws ImageNotFound when the registry has no such image, EngineRefused with the registry's words otherwise
   */
  pullImage(reference: string, auth: RegistryAuth | null, signal: AbortSignal): Promise<Image>;
  /**
   * Gives an image the name of a reference with a tag, as a pull does. If another image has the name, the name moves.
   * @throws ImageNotFound
   */
  nameImage(imageId: string, reference: string): Promise<void>;
  /** Keeps an image from being collected, by a local tag of ours (`davit-<id>/<app>:<deployment>`). Idempotent. */
  holdImage(imageId: string, tag: string): Promise<void>;
  /** Removes a tag of ours and nothing else; one that is gone already is fine. Refuses a tag that is not ours. */
  releaseImage(tag: string): Promise<void>;
  /** The tags of ours that the engine has. */
  heldImages(): Promise<string[]>;
  /** The same with what is behind them, by tag. */
  inspectHeld(): Promise<HeldImage[]>;
  /**
   * Takes away the name under which an image was pulled, where it still means that image; the image goes with its last
   * name. A name that is gone, or means another image by now, is fine.
   * @returns false if a container uses the image under its last name
   */
  untagImage(reference: string, imageId: string): Promise<boolean>;
  /**
   * Asks a registry whether it takes these credentials.
   * @throws EngineRefused
   */
  checkRegistry(host: string, auth: RegistryAuth, signal: AbortSignal): Promise<void>;
}
