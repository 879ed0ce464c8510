/** Interface of a backup destination: a folder on the server or a bucket of an object store. */

export interface KeptObject {
  /** Object key of letters, digits and `_ . - /`. The path parts `.` and `..` are not allowed. */
  key: string;
  sizeBytes: number;
}

/** Storage for backups. Implementations never load a whole object into memory. */
export interface BackupDestination {
  /**
   * Stores or replaces an object. The object is visible only when it is complete and on the disk. May change the bytes
   * in `source`.
   * @returns number of stored bytes
   */
  put(key: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number>;
  /**
   * Reads a stored object. A request for the next chunk may overwrite the memory of the previous chunk.
   * @throws DestinationMissing if the key does not exist
   */
  get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Lists the objects whose keys begin with the prefix, sorted by key. The result may contain thousands of objects.
   */
  list(prefix: string, signal: AbortSignal): AsyncIterable<KeptObject>;
  /** Deletes an object. Succeeds if the object does not exist. */
  delete(key: string, signal?: AbortSignal): Promise<void>;
}

/** Thrown if a stored backup object is missing at its destination. */
export class DestinationMissing extends Error {
  override name = 'DestinationMissing';
}

/**
 * Thrown if the backup destination rejects a request, for example because space, a permission or a bucket is missing.
 * Users see the error message.
 */
export class DestinationRefused extends Error {
  override name = 'DestinationRefused';
}

/**
 * Thrown if the backup destination does not respond, or if its host name has no permitted IP address. A later attempt
 * may succeed.
 */
export class DestinationUnavailable extends Error {
  override name = 'DestinationUnavailable';
}
