/** Interface of a backup destination: a folder on the server or a bucket of an object store. */

export interface KeptObject {
  /** Key of a stored object. The key may contain letters, digits and `_ . - /`, but not the path parts `.` and `..`. */
  key: string;
  sizeBytes: number;
}

/** Storage for backups. An implementation must never load a whole object into memory. */
export interface BackupDestination {
  /**
   * Stores an object. If an object with the same key exists, it is replaced. The new object becomes visible when all
   * its bytes are stored. The function may overwrite the bytes in `source`.
   * @returns number of stored bytes
   */
  put(key: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number>;
  /**
   * Returns the content of a stored object in chunks. Each chunk is valid only until the caller requests the next
   * chunk, because both may use the same memory.
   * @throws DestinationMissing if the key does not exist
   */
  get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Lists the objects whose keys begin with the prefix, sorted by key. The result may contain thousands of objects.
   */
  list(prefix: string, signal: AbortSignal): AsyncIterable<KeptObject>;
  /** Deletes an object. If the object does not exist, the function does nothing. */
  delete(key: string, signal?: AbortSignal): Promise<void>;
}

/** Error if the stored object of a backup does not exist at the backup destination. */
export class DestinationMissing extends Error {
  override name = 'DestinationMissing';
}

/**
 * Error if the backup destination rejects a request, for example because of missing space, a missing permission or a
 * missing bucket. Users see the error message.
 */
export class DestinationRefused extends Error {
  override name = 'DestinationRefused';
}

/**
 * Error if the backup destination does not respond, or if its host name has no IP address to which Davit may connect. A
 * later attempt may succeed.
 */
export class DestinationUnavailable extends Error {
  override name = 'DestinationUnavailable';
}
