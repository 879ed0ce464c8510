/**
 * API functions for buckets and objects. Each request reads from the object store, because SQLite does not contain this
 * data.
 */
import {
  type Bucket,
  DavitError,
  type FolderRemoved,
  invalidField,
  isBucketName,
  type ObjectEntry,
  type ObjectPresign,
  type PresignedObject,
  timestamp,
} from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { publishStoreChange, type StoreRow } from '../../db/tables/object-store.ts';
import { type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import type { FoundBucket, FoundObject, ObjectClient } from './client.ts';
import { clientOfStore } from './client-of.ts';
import type { ObjectStoresDeps } from './deps.ts';
import { publicEndpointOf } from './present.ts';
import { refusalOf, withStoreClient } from './request.ts';
import { demandUnused } from './used-by.ts';

const OBJECTS = 200;
/** Number of objects per list request. S3 servers return at most 1,000 objects. */
const BATCH = 1_000;
const DELETED_AT_ONCE = 16;
/**
 * Time limit in milliseconds for one HTTP request that deletes a folder. At the limit, the response says that objects
 * remain in the folder.
 */
const FOLDER_MS = 15_000;

/** Returns the buckets of an object store, sorted by name. */
export async function listBuckets(
  core: ObjectStoresDeps,
  _ctx: OpContext,
  row: StoreRow,
  query: PageQuery = {},
): Promise<Page<Bucket>> {
  const found = await withStoreClient(core, row, (client, signal) => bucketsOf(row, client, signal));
  const { items, next } = pageOf(found, ({ name }) => name, query);
  return { items: items.map(presentBucket), next };
}

/** Returns the buckets of an object store that its access key can use. */
export async function bucketsOf(row: StoreRow, client: ObjectClient, signal: AbortSignal): Promise<FoundBucket[]> {
  if (row.bucket === null) return client.listBuckets(signal);
  await client.lookAtBucket(row.bucket, signal);
  return [{ name: row.bucket, createdAt: null }];
}

/**
 * Returns a bucket.
 * @throws DavitError not_found if the bucket does not exist
 */
export async function readBucket(
  core: ObjectStoresDeps,
  _ctx: OpContext,
  row: StoreRow,
  bucket: string,
): Promise<Bucket> {
  demandOwn(row, bucket);
  await withStoreClient(core, row, (client, signal) => client.lookAtBucket(bucket, signal));
  return { name: bucket, created_at: null };
}

/**
 * Creates a bucket.
 * @throws DavitError conflict if the bucket exists, or if the access key is limited to another bucket
 */
export async function createBucket(
  core: ObjectStoresDeps,
  _ctx: OpContext,
  row: StoreRow,
  bucket: string,
): Promise<Bucket> {
  if (row.bucket !== null && row.bucket !== bucket)
    throw new DavitError(
      'conflict',
      `The keys of ${row.name} are limited to the bucket ${row.bucket}, so no other bucket can be created. Use this bucket, or set keys for all buckets.`,
    );
  await withStoreClient(core, row, (client, signal) => {
    core.store.trail.demandRights();
    return client.createBucket(bucket, signal);
  });
  publishContentChange(core, row, 'buckets');
  return { name: bucket, created_at: null };
}

/**
 * Deletes an empty bucket.
 * @throws DavitError invalid_input if `confirm` is not the bucket name; conflict if the bucket is used or not empty
 */
export async function deleteBucket(
  core: ObjectStoresDeps,
  _ctx: OpContext,
  row: StoreRow,
  bucket: string,
  confirm: string,
): Promise<void> {
  demandOwn(row, bucket);
  if (confirm !== bucket) throw invalidField('confirm', 'mismatch', `must be the name of the bucket, “${bucket}”.`);
  demandUnused(core.store, row, bucket);
  await withStoreClient(core, row, async (client, signal) => {
    // Check that the bucket is empty, because some object stores delete a bucket together with its objects.
    const { items } = await client.list(bucket, { limit: 1 }, signal);
    if (items.length > 0)
      throw new DavitError('conflict', `The bucket “${bucket}” is not empty. Delete its objects first.`);
    core.store.trail.demandRights();
    await client.deleteBucket(bucket, signal);
  });
  publishContentChange(core, row, 'buckets');
}

/**
 * Publishes an event after a change of buckets or objects. Other events are published for changed SQLite rows, but
 * SQLite does not contain buckets or objects.
 */
function publishContentChange({ store }: ObjectStoresDeps, row: StoreRow, change: 'buckets' | 'objects'): void {
  store.tx((tx) => publishStoreChange(tx, row, change));
}

export interface ObjectsRequest extends PageQuery {
  prefix?: string | undefined;
  /** Whether the response lists all keys. If `false`, the response groups the keys by folder. */
  flat?: boolean | undefined;
}

/** Returns the folders and objects of a bucket, sorted by key. The pagination cursor comes from the object store. */
export async function listObjects(
  core: ObjectStoresDeps,
  _ctx: OpContext,
  row: StoreRow,
  bucket: string,
  { prefix, flat, limit = OBJECTS, cursor }: ObjectsRequest,
): Promise<Page<ObjectEntry>> {
  demandOwn(row, bucket);
  const delimiter = flat ? undefined : '/';
  const { items, next } = await withStoreClient(core, row, (client, signal) =>
    client.list(bucket, { prefix, delimiter, limit, cursor }, signal),
  );
  return { items: items.map(presentObject), next };
}

export async function deleteObject(
  core: ObjectStoresDeps,
  _ctx: OpContext,
  row: StoreRow,
  bucket: string,
  key: string,
): Promise<void> {
  demandOwn(row, bucket);
  await withStoreClient(core, row, (client, signal) => {
    core.store.trail.demandRights();
    return client.delete(bucket, key, signal);
  });
  publishContentChange(core, row, 'objects');
}

/**
 * Deletes the objects of a folder, until no object is left or a time limit is reached.
 * @throws DavitError invalid_input if `confirm` is not the folder
 */
export async function deleteFolder(
  core: ObjectStoresDeps,
  _ctx: OpContext,
  row: StoreRow,
  bucket: string,
  { prefix, confirm }: { prefix: string; confirm: string },
): Promise<FolderRemoved> {
  demandOwn(row, bucket);
  if (confirm !== prefix) throw invalidField('confirm', 'mismatch', `must be the folder, “${prefix}”.`);
  const until = performance.now() + FOLDER_MS;
  const answer = await withStoreClient(core, row, async (client, signal) => {
    let removed = 0;
    for (;;) {
      // List from the start of the folder each time, because the objects of the previous list are already deleted.
      const { items, next } = await client.list(bucket, { prefix, limit: BATCH }, signal);
      /*
       * Check permissions only once, before the first deletion. If a later check failed, the audit log would not
       * contain the earlier deletions.
       */
      if (removed === 0) core.store.trail.demandRights();
      for (let at = 0; at < items.length; at += DELETED_AT_ONCE) {
        const some = items.slice(at, at + DELETED_AT_ONCE);
        await Promise.all(some.map(({ key }) => client.delete(bucket, key, signal)));
        removed += some.length;
        if (performance.now() > until) return { removed, more: next !== null || at + some.length < items.length };
      }
      if (next === null) return { removed, more: false };
    }
  });
  publishContentChange(core, row, 'objects');
  return answer;
}

/**
 * Returns a presigned URL for one object.
 * @throws DavitError conflict for an object store without a public address
 */
export async function presignObject(
  core: ObjectStoresDeps,
  _ctx: OpContext,
  row: StoreRow,
  bucket: string,
  { key, method, expires_s }: ObjectPresign,
): Promise<PresignedObject> {
  demandOwn(row, bucket);
  const endpoint = publicEndpointOf(core, row) ?? (row.kind === 'linked' ? row.endpoint : null);
  if (endpoint === null) {
    const message = `${row.name} cannot be reached from outside the server, so a presigned URL would not work. Expose the object store first.`;
    throw new DavitError('conflict', message);
  }
  const at = core.now();
  try {
    using client = await clientOfStore(core, row, endpoint);
    /*
     * Check the user's permissions first, because a presigned URL stays valid after the user has lost these
     * permissions.
     */
    core.store.trail.demandRights();
    const url = await client.presign(method, bucket, key, expires_s);
    return { url, method, expires_at: timestamp(at + expires_s * 1_000) };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** @throws DavitError not_found if the access key is limited to another bucket, or if the bucket name is invalid */
export function demandOwn(row: StoreRow, bucket: string): void {
  if ((row.bucket === null || row.bucket === bucket) && isBucketName(bucket)) return;
  throw new DavitError('not_found', `${row.name} does not have this bucket. List its buckets.`);
}

function presentBucket({ name, createdAt }: FoundBucket): Bucket {
  return { name, created_at: timestamp(createdAt) };
}

function presentObject({ kind, key, bytes, modifiedAt, etag }: FoundObject): ObjectEntry {
  return { kind, key, size_bytes: bytes, modified_at: timestamp(modifiedAt), etag };
}
