/** What an object store is asked, whoever runs it. */
import type { AddressRule } from '@davit/service';

/** Where a store is and what lets one in. */
export interface StorePlace {
  /** Scheme, host and port, without a path. */
  endpoint: string;
  region: string;
  pathStyle: boolean;
  accessKey: string;
  secretKey: string;
  /**
   * Addresses that the client may connect to if the user who linked the store has rights for some projects only; else
   * `null`.
   */
  limit: AddressRule | null;
  /** Addresses that a host name with a bucket in it may lead to besides those of the endpoint. */
  isOpen: AddressRule;
}

export interface FoundBucket {
  name: string;
  /** Null: the store does not say. */
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
  /** Absent: every key; else what goes on behind it is one folder. */
  delimiter?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface ListAnswer {
  items: FoundObject[];
  /** Null: there is nothing after these. */
  next: string | null;
}

/** A body that is read: it ends with an error when less arrived than was said. */
export interface OpenedObject {
  bytes: number | null;
  body: AsyncIterable<Uint8Array>;
}

/**
 * A store, with its keys. Whatever goes wrong is a {@link StoreProblem} with one sentence, in which there is no secret;
 * an aborted signal is thrown as it is.
 */
export interface ObjectClient extends Disposable {
  listBuckets(signal?: AbortSignal): Promise<FoundBucket[]>;
  /** @throws StoreProblem `missing` */
  lookAtBucket(bucket: string, signal?: AbortSignal): Promise<void>;
  createBucket(bucket: string, signal?: AbortSignal): Promise<void>;
  /** @throws StoreProblem `conflict` when there is anything in it */
  deleteBucket(bucket: string, signal?: AbortSignal): Promise<void>;
  list(bucket: string, ask: ListAsk, signal?: AbortSignal): Promise<ListAnswer>;
  /**
   * Writes an object as its bytes come, in memory that does not grow with it; when it fails, nothing is left of it.
   * @returns how many bytes there were
   */
  put(bucket: string, key: string, body: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number>;
  /** @throws StoreProblem `missing` */
  get(bucket: string, key: string, signal?: AbortSignal): Promise<OpenedObject>;
  /** It is gone, whether or not it was there. */
  delete(bucket: string, key: string, signal?: AbortSignal): Promise<void>;
  /** An address under which one thing can be done without keys until it expires; nobody is asked for it. */
  presign(method: 'GET' | 'PUT', bucket: string, key: string, expiresS: number): Promise<string>;
}
