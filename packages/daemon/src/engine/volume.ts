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
  /** Where images and volumes are kept; null when the engine's disk cannot be seen from here. */
  disk(): Promise<DiskUse | null>;
}
