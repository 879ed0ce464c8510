import type { GroupKind } from './labels.ts';

/** A named volume of this instance. */
export interface Volume {
  name: string;
  /**
   * Reference of the app, database or object store that the volume was created for, or `null` if the label is missing.
   */
  app: string | null;
  owner: GroupKind;
  createdAt: Date | null;
}

/** Use of the file system on which the engine keeps its images and volumes. */
export interface DiskUse {
  path: string;
  /** Size without the blocks that are reserved for root. */
  totalBytes: number;
  /** Space that all users can still use. */
  freeBytes: number;
}

/** One layer of an image. A layer that several images share has the same key in each image. */
export interface ImageLayer {
  key: string;
  bytes: number;
}

/** Disk use of this instance's objects in the engine. */
export interface StorageUse {
  /** Layers of the images that tags of this instance keep, by image id. */
  images: Map<string, readonly ImageLayer[]>;
  /**
   * Bytes in the writable layers of this instance's containers and in the unnamed volumes that their images declare.
   * Each entry has the reference of the container's owner.
   */
  containers: { app: string | null; bytes: number }[];
  /** Bytes by volume name. */
  volumes: Map<string, number>;
}

/** Calls for volumes and their disk. */
export interface EngineVolumes {
  /**
   * Creates a named volume with the labels of this instance. Idempotent.
   * @param app reference of the app, database or object store that the volume is for
   * @param owner kind of that owner; default: `app`
   */
  ensureVolume(name: string, app: string, owner?: GroupKind): Promise<void>;
  /**
   * Removes a volume of this instance with its data. Succeeds if the volume does not exist.
   * @throws EngineRefused while a container uses the volume
   */
  removeVolume(name: string): Promise<void>;
  /** Returns the volumes of this instance. */
  volumes(): Promise<Volume[]>;
  /** Returns the size of a volume's content in bytes, or `null` if the engine cannot measure it. May take seconds. */
  volumeSize(name: string, signal?: AbortSignal): Promise<number | null>;
  /**
   * Measures the disk use of this instance's objects. Returns `null` while another measurement runs. May take minutes
   * on a large server.
   */
  storageUse(signal: AbortSignal): Promise<StorageUse | null>;
  /** Returns the disk use of images and volumes, or `null` if the daemon cannot access the disk of the engine. */
  disk(): Promise<DiskUse | null>;
}
