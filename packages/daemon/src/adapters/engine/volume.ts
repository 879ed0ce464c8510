import type { GroupKind } from './labels.ts';

/** A named volume of ours. */
export interface Volume {
  name: string;
  /** The reference of what it was made for; null when its label is gone. */
  app: string | null;
  owner: GroupKind;
  createdAt: Date | null;
}

/** The file system that the engine keeps its images and volumes on. */
export interface DiskUse {
  path: string;
  /** Without what is reserved for root. */
  totalBytes: number;
  /** What everybody may still take. */
  freeBytes: number;
}

/** One layer of an image. Images that share it have a layer with the same key. */
export interface ImageLayer {
  key: string;
  bytes: number;
}

/** Disk use of this Davit's objects at the engine. */
export interface StorageUse {
  /** Layers of the images that our tags hold, by image id. */
  images: Map<string, readonly ImageLayer[]>;
  /**
   * Writable layers of our containers and the volumes without a name that their images declare, with the reference of what
   * each container is of.
   */
  containers: { app: string | null; bytes: number }[];
  /** Bytes by volume name. */
  volumes: Map<string, number>;
}

/** Volumes, and the disk that they are on. */
export interface EngineVolumes {
  /**
   * Makes a named volume, with our labels. Idempotent.
   * @param app the reference of what it is for
   * @param owner which of them that is; an app unless given
   */
  ensureVolume(name: string, app: string, owner?: GroupKind): Promise<void>;
  /** Removes a volume of ours with its data; one that is gone already is fine. @throws EngineRefused while a container uses it */
  removeVolume(name: string): Promise<void>;
  /** The volumes of this Davit. */
  volumes(): Promise<Volume[]>;
  /** What a volume holds, in bytes; null where the engine cannot say. May take seconds. */
  volumeSize(name: string, signal?: AbortSignal): Promise<number | null>;
  /**
   * Measures the disk use of this Davit's objects; `null` while another measurement runs. May take minutes on a large
   * server.
   */
  storageUse(signal: AbortSignal): Promise<StorageUse | null>;
  /** Where images and volumes are kept; null when the engine's disk cannot be seen from here. */
  disk(): Promise<DiskUse | null>;
}
