/**
 * Interface of the client for all object stores. A linked object store runs at a provider, and a managed one runs on
 * this server.
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
   * Rule for the IP addresses of the endpoint, if only public addresses are allowed. `null` allows all addresses that
   * are not reserved.
   */
  limit: AddressRule | null;
  /**
   * Rule that allows only public addresses of other servers. It applies to host names that contain a bucket name,
   * because users choose the bucket name.
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
   * Delimiter of folders, for example `/`. Keys that contain the delimiter after the prefix are grouped by folder.
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

/**
 * Object and its content. Reading the content throws an error if fewer bytes arrive than the S3 server has announced.
 */
export interface OpenedObject {
  bytes: number | null;
  body: AsyncIterable<Uint8Array>;
}

/**
 * Client for one S3 server. Its methods throw a StoreProblem with a message without secrets. After an abort, they throw
 * the reason of the signal.
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
   * Uploads a stream with constant memory use. Deletes the uploaded parts if the upload fails.
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
