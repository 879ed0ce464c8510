/**
 * Interface of the client for all object stores: linked ones at a provider, and managed ones that run on this server.
 */
import type { AddressRule } from '@davit/service';

export interface StoreConnection {
  /** Endpoint URL: scheme, host and port, without a path. */
  endpoint: string;
  region: string;
  pathStyle: boolean;
  accessKey: string;
  secretKey: string;
  /**
   * Rule for the IP addresses to which the client may connect. With `null`, the client may connect to every IP address
   * that is not reserved. Davit sets a rule if the user who linked the object store has access to only some projects.
   */
  limit: AddressRule | null;
  /**
   * Rule that allows only public IP addresses that do not belong to this server. Davit applies the rule to host names
   * that contain a bucket name. Without the rule, a user could choose a bucket name whose host has a private IP
   * address.
   */
  isOpen: AddressRule;
}

export interface FoundBucket {
  name: string;
  /** Creation time in milliseconds since the epoch, or `null` if the S3 server does not return it. */
  createdAt: number | null;
}

export interface FoundObject {
  kind: 'object' | 'folder';
  key: string;
  bytes: number | null;
  modifiedAt: number | null;
  etag: string | null;
}

export interface ListRequest {
  prefix?: string | undefined;
  /**
   * Delimiter of folders, for example `/`. All keys with this delimiter after the prefix are grouped into folders.
   * Without a delimiter, the result lists every key.
   */
  delimiter?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface ListAnswer {
  items: FoundObject[];
  /** Cursor for the next page of objects, or `null` at the end of the list. */
  next: string | null;
}

/** Object and its content. Reading the content throws an error if fewer bytes arrive than the S3 server announced. */
export interface OpenedObject {
  bytes: number | null;
  body: AsyncIterable<Uint8Array>;
}

/**
 * Client for one S3 server. Its methods throw a StoreProblem with one sentence that contains no secrets. If a signal
 * aborts, the methods throw the reason of the signal.
 */
export interface ObjectClient extends Disposable {
  listBuckets(signal?: AbortSignal): Promise<FoundBucket[]>;
  /**
   * Checks that a bucket exists in the object store.
   * @throws StoreProblem `missing`
   */
  lookAtBucket(bucket: string, signal?: AbortSignal): Promise<void>;
  createBucket(bucket: string, signal?: AbortSignal): Promise<void>;
  /**
   * Deletes an empty bucket.
   * @throws StoreProblem `conflict` if the bucket is not empty
   */
  deleteBucket(bucket: string, signal?: AbortSignal): Promise<void>;
  list(bucket: string, ask: ListRequest, signal?: AbortSignal): Promise<ListAnswer>;
  /**
   * Uploads an object from a stream. The memory usage does not depend on the size of the object. If the upload fails,
   * its uploaded parts are deleted.
   * @returns number of bytes written
   */
  put(bucket: string, key: string, body: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number>;
  /**
   * Reads an object from a bucket.
   * @throws StoreProblem `missing`
   */
  get(bucket: string, key: string, signal?: AbortSignal): Promise<OpenedObject>;
  /** Deletes an object. Succeeds even if the object does not exist. */
  delete(bucket: string, key: string, signal?: AbortSignal): Promise<void>;
  /** Returns a presigned URL that allows one operation without access keys until it expires. Sends no request. */
  presign(method: 'GET' | 'PUT', bucket: string, key: string, expiresS: number): Promise<string>;
}
