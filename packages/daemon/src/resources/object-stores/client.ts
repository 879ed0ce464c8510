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
   * Rule for IP addresses, if the endpoint may have only public addresses. `null` allows all addresses that are not
   * reserved.
   */
  limit: AddressRule | null;
  /**
   * Rule that allows only public addresses of other servers. It applies to host names that contain a bucket name,
   * because users choose this name.
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
   * Delimiter of folders, for example `/`. Keys that contain it after the prefix are grouped. Without a delimiter, the
   * result lists every key.
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
 * Client for one S3 server. Its methods throw StoreProblem with a sentence without secrets, or the reason of an aborted
 * signal.
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
   * Uploads a stream with constant memory. Deletes the uploaded parts if the upload fails.
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
