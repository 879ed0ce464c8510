/** Kind of a Docker object of a Davit instance, or of its firewall rules. */
export type EngineObjectKind = 'container' | 'network' | 'volume' | 'image' | 'firewall';

/** Docker object with the id of a Davit instance in its name or its labels. */
export interface EngineObject {
  kind: EngineObjectKind;
  /** Name of the object. An image has a tag or a digest name, and the firewall has the name of its nftables table. */
  name: string;
}

/** Object that Docker could not remove, with a sentence for the operator. */
export interface RemainingObject extends EngineObject {
  reason: string;
}

export interface RemovalOptions {
  /** Whether the volumes are removed too. Volumes contain the data of apps, databases and object stores. */
  volumes: boolean;
  /** Called after the removal of each object. */
  onRemoved: (object: EngineObject) => void;
}

/**
 * Removes all Docker objects of one Davit instance. Needs only the instance id, so it works without the database of the
 * instance. The daemon of the instance must be stopped.
 */
export interface InstanceRemoval extends AsyncDisposable {
  /** Returns the objects in the order of their removal. Throws EngineUnavailable if Docker does not respond. */
  list(): Promise<EngineObject[]>;
  /**
   * Removes the objects. After an error or an interruption, the next call removes the remaining objects.
   * @returns objects that other programs still use
   * @throws EngineUnavailable, EngineRefused
   */
  remove(options: RemovalOptions): Promise<RemainingObject[]>;
  /**
   * Returns the tags of images that all instances on this Docker Engine share. `null` if another instance exists, which
   * needs these images.
   */
  sharedTags(): Promise<string[] | null>;
}
