/** Interface to object stores, linked or managed. */
import type { AddressRule } from '@davit/service';

/** Address and credentials of a store. */
export interface StorePlace {
  /** Scheme, host and port, without a path. */
  endpoint: string;
  region: string;
  pathStyle: boolean;
  accessKey: string;
  secretKey: string;
  /**
   * Rule for the addresses that the client may connect to, if the user who linked the store has rights for some
   * projects only. `null` allows every address that is not reserved.
   */
  limit: AddressRule | null;
  /** Rule for additional addresses that a host name with a bucket in it may resolve to. */
  isOpen: AddressRule;
}

export interface FoundBucket {
  name: string;
  /** Creation time, or `null` if the store does not return it. */
  createdAt: number | null;
}

export interface FoundObject {
  kind: 'object' | 'folder';
  key: string;
  bytes: number | null;
  modifiedAt: number | null;
  etag: string | null;
}

export interface ListAsk {
  prefix?: string | undefined;
  /**
   * Delimiter of folders. Without a delimiter, the result lists every key. Otherwise keys with the delimiter after the
   * prefix are combined to folders.
   */
  delimiter?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface ListAnswer {
  items: FoundObject[];
  /** Cursor for the next items, or `null` at the end of the list. */
  next: string | null;
}

/** Object with its body. The body ends with an error if fewer bytes arrive than announced. */
export interface OpenedObject {
  bytes: number | null;
  body: AsyncIterable<Uint8Array>;
}

/**
 * Client of a store. Failures are a {@link StoreProblem} with one sentence without secrets. The reason of an aborted
 * signal is thrown unchanged.
 */
export interface ObjectClient extends Disposable {
  listBuckets(signal?: AbortSignal): Promise<FoundBucket[]>;
  /**
   * Checks that a bucket exists.
   * @throws StoreProblem `missing`
   */
  lookAtBucket(bucket: string, signal?: AbortSignal): Promise<void>;
  createBucket(bucket: string, signal?: AbortSignal): Promise<void>;
  /**
   * Deletes an empty bucket.
   * @throws StoreProblem `conflict` if the bucket is not empty
   */
  deleteBucket(bucket: string, signal?: AbortSignal): Promise<void>;
  list(bucket: string, ask: ListAsk, signal?: AbortSignal): Promise<ListAnswer>;
  /**
   * Writes an object from a stream. The memory does not grow with the size of the object. After a failure, no part of
   * the object remains.
   * @returns number of bytes written
   */
  put(bucket: string, key: string, body: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number>;
  /**
   * Reads an object.
   * @throws StoreProblem `missing`
   */
  get(bucket: string, key: string, signal?: AbortSignal): Promise<OpenedObject>;
  /** Deletes an object. Succeeds even if the object does not exist. */
  delete(bucket: string, key: string, signal?: AbortSignal): Promise<void>;
  /**
   * Returns a signed URL that allows one operation without keys until it expires. Creating the URL sends no request.
   */
  presign(method: 'GET' | 'PUT', bucket: string, key: string, expiresS: number): Promise<string>;
}
