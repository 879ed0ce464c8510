/** Interface of a backup destination: a folder on the server or a bucket of an object store. */

export interface KeptObject {
  key: string;
  sizeBytes: number;
}

/**
 * Destination for backups. A key consists of letters, digits and `_ . - /`, without the path parts `.` and `..`.
 * Implementations never hold a whole object in memory. An unfinished object does not exist under its key.
 */
export interface BackupDestination {
  /**
   * Stores all bytes of the source, or nothing. Replaces an existing object. After success the object is durable: it is
   * on the disk, not only in a cache. After a failure the call has stored nothing under the key. The destination owns
   * the chunks of the source and may reuse their memory.
   * @returns the number of stored bytes
   */
  put(key: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number>;
  /**
   * Reads a stored object. Each chunk is valid only until the next chunk is requested.
   * @throws DestinationMissing if the key does not exist
   */
  get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Lists the objects whose keys begin with the prefix, sorted by key. A bucket may contain thousands of objects. */
  list(prefix: string, signal: AbortSignal): AsyncIterable<KeptObject>;
  /** Deletes an object. A missing object is not an error. */
  delete(key: string, signal?: AbortSignal): Promise<void>;
}

/** Error: a stored backup object is missing at its destination. */
export class DestinationMissing extends Error {
  override name = 'DestinationMissing';
}

/**
 * Error: the backup destination refuses a request, for example for lack of space, rights or a bucket. Users see the
 * message.
 */
export class DestinationRefused extends Error {
  override name = 'DestinationRefused';
}

/**
 * Error: the backup destination does not answer, or its host name resolves to no permitted address. A later attempt may
 * succeed.
 */
export class DestinationUnavailable extends Error {
  override name = 'DestinationUnavailable';
}
