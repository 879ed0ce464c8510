/** Where backups are kept: a folder of the machine, or a bucket of an object store. */

export interface KeptObject {
  key: string;
  sizeBytes: number;
}

/**
 * What one kind of place is asked. A key is letters, digits and `_ . - /`, without `.` and `..`. Nothing is ever held in
 * memory as a whole, and what was begun and not finished is not there.
 */
export interface BackupDestination {
  /**
   * Keeps all that the source gives, as a whole or not at all: when it resolves it is there for good (on the disk, not in
   * its cache), when it rejects nothing of it is under this key. What was there under the key is replaced. The pieces of
   * the source are the destination's from then on.
   * @returns how many bytes it kept
   */
  put(key: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number>;
  /** A piece is good until the next one is asked for. @throws DestinationMissing when there is none under this key */
  get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Those whose key begins so, by key; a bucket may hold thousands. */
  list(prefix: string, signal: AbortSignal): AsyncIterable<KeptObject>;
  /** One that is gone already is fine. */
  delete(key: string, signal?: AbortSignal): Promise<void>;
}

/** What was kept there is not there any more. */
export class DestinationMissing extends Error {
  override name = 'DestinationMissing';
}

/** The place refuses: no room, no right, no such bucket. The message is for people. */
export class DestinationRefused extends Error {
  override name = 'DestinationRefused';
}

/** The destination does not answer at the moment, or its name leads to no address that may be used; later it may. */
export class DestinationUnavailable extends Error {
  override name = 'DestinationUnavailable';
}
