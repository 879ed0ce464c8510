import type { GroupKind } from './labels.ts';

/** A Docker volume of this Davit instance. */
export interface Volume {
  name: string;
  /**
   * Reference of the app, database or object store that owns the Docker volume. `null` if the volume has no owner
   * label.
   */
  app: string | null;
  owner: GroupKind;
  createdAt: Date | null;
}

/** Disk space of the file system on which Docker stores images and volumes. */
export interface DiskUse {
  path: string;
  /** Size of the file system in bytes, without the blocks that are reserved for root. */
  totalBytes: number;
  /** Free space in bytes that programs without root permissions can use. */
  freeBytes: number;
}

/** One layer of an image. If several images share a layer, the layer has the same key in all these images. */
export interface ImageLayer {
  key: string;
  bytes: number;
}

/** Disk use of this Davit instance's images, containers and volumes. */
export interface StorageUse {
  /** Map from image id to the layers of the image. The map contains only images with a tag of this Davit instance. */
  images: Map<string, readonly ImageLayer[]>;
  /**
   * Disk use in bytes of each container's writable layer and anonymous volumes. `app` is the app, database or object
   * store that owns the container.
   */
  containers: { app: string | null; bytes: number }[];
  /** Disk use of Docker volumes in bytes, by volume name. */
  volumes: Map<string, number>;
}

export interface EngineVolumes {
  /**
   * Creates a volume with this Davit instance's labels. The call is idempotent.
   * @param app reference of the app, database or object store that owns the volume
   * @param owner kind of the owner, default: `app`
   */
  ensureVolume(name: string, app: string, owner?: GroupKind): Promise<void>;
  /**
   * Deletes a volume of this Davit instance. The call also succeeds if the volume does not exist.
   * @throws EngineRefused while a container uses the volume
   */
  removeVolume(name: string): Promise<void>;
  volumes(): Promise<Volume[]>;
  /**
   * Returns the size of a volume's content in bytes, or `null` if Docker cannot measure the size. A call can take
   * seconds.
   */
  volumeSize(name: string, signal?: AbortSignal): Promise<number | null>;
  /**
   * Measures the disk use of images, containers and volumes. Returns `null` if another measurement is running. A call
   * can take minutes.
   */
  storageUse(signal: AbortSignal): Promise<StorageUse | null>;
  /**
   * Returns the size and the free space of Docker's file system. Returns `null` if the daemon cannot access this file
   * system.
   */
  disk(): Promise<DiskUse | null>;
}
