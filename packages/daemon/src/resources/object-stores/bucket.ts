/** Buckets and what is in them, as the store says at that moment: nothing of it is kept here. */
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
import { type StoreRow, tell } from '../../db/tables/object-store.ts';
import { type Page, type PageAsk, pageOf } from '../../input/paging.ts';
import type { FoundBucket, FoundObject, ObjectClient } from './client.ts';
import { clientOfStore } from './client-of.ts';
import type { ObjectStoresDeps } from './deps.ts';
import { publicEndpointOf } from './present.ts';
import { askStore, refusalOf } from './request.ts';
import { demandUnused } from './used-by.ts';

const OBJECTS = 200;
/** As many as a store lists at a time. */
const BATCH = 1_000;
const DELETED_AT_ONCE = 16;
/** After which the deletion of a folder answers how far it came. */
const FOLDER_MS = 15_000;

/** By name. */
export async function listBuckets(
  core: ObjectStoresDeps,
  _ctx: OpContext,
  row: StoreRow,
  ask: PageAsk = {},
): Promise<Page<Bucket>> {
  const found = await askStore(core, row, (client, signal) => bucketsOf(row, client, signal));
  const { items, next } = pageOf(found, ({ name }) => name, ask);
  return { items: items.map(presentBucket), next };
}

/** Those that its keys are for. */
export async function bucketsOf(row: StoreRow, client: ObjectClient, signal: AbortSignal): Promise<FoundBucket[]> {
  if (row.bucket === null) return client.listBuckets(signal);
  await client.lookAtBucket(row.bucket, signal);
  return [{ name: row.bucket, createdAt: null }];
}

/** @throws DavitError not_found */
export async function readBucket(
  core: ObjectStoresDeps,
  _ctx: OpContext,
  row: StoreRow,
  bucket: string,
): Promise<Bucket> {
  demandOwn(row, bucket);
  await askStore(core, row, (client, signal) => client.lookAtBucket(bucket, signal));
  return { name: bucket, created_at: null };
}

/** @throws DavitError conflict when there is one, or the keys are for another one */
export async function createBucket(
  core: ObjectStoresDeps,
  _ctx: OpContext,
  row: StoreRow,
  bucket: string,
): Promise<Bucket> {
  if (row.bucket !== null && row.bucket !== bucket)
    throw new DavitError('conflict', `The keys of ${row.name} are for ${row.bucket} alone: no other bucket is made.`);
  await askStore(core, row, (client, signal) => {
    core.store.trail.demandRights();
    return client.createBucket(bucket, signal);
  });
  tellOf(core, row, 'buckets');
  return { name: bucket, created_at: null };
}

/** @throws DavitError invalid_input when it is not called by its name; conflict while it is used or not empty */
export async function deleteBucket(
  core: ObjectStoresDeps,
  _ctx: OpContext,
  row: StoreRow,
  bucket: string,
  confirm: string,
): Promise<void> {
  demandOwn(row, bucket);
  if (confirm !== bucket) throw invalidField('confirm', 'mismatch', `must be the bucket’s name, «${bucket}».`);
  demandUnused(core.store, row, bucket);
  await askStore(core, row, async (client, signal) => {
    // Some stores delete a bucket with all that is in it.
    const { items } = await client.list(bucket, { limit: 1 }, signal);
    if (items.length > 0) throw new DavitError('conflict', `There is something in «${bucket}»: empty it first.`);
    core.store.trail.demandRights();
    await client.deleteBucket(bucket, signal);
  });
  tellOf(core, row, 'buckets');
}

/** What is in a store is on no record here; that it changed through this instance is told all the same. */
function tellOf({ store }: ObjectStoresDeps, row: StoreRow, change: 'buckets' | 'objects'): void {
  store.tx((tx) => tell(tx, row, change));
}

export interface ObjectsAsk extends PageAsk {
  prefix?: string | undefined;
  /** Without folders. */
  flat?: boolean | undefined;
}

/** Folders and objects, by key; a cursor is the store's own. */
export async function listObjects(
  core: ObjectStoresDeps,
  _ctx: OpContext,
  row: StoreRow,
  bucket: string,
  { prefix, flat, limit = OBJECTS, cursor }: ObjectsAsk,
): Promise<Page<ObjectEntry>> {
  demandOwn(row, bucket);
  const delimiter = flat ? undefined : '/';
  const { items, next } = await askStore(core, row, (client, signal) =>
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
  await askStore(core, row, (client, signal) => {
    core.store.trail.demandRights();
    return client.delete(bucket, key, signal);
  });
  tellOf(core, row, 'objects');
}

/** @throws DavitError invalid_input when it is not named twice alike */
export async function deleteFolder(
  core: ObjectStoresDeps,
  _ctx: OpContext,
  row: StoreRow,
  bucket: string,
  { prefix, confirm }: { prefix: string; confirm: string },
): Promise<FolderRemoved> {
  demandOwn(row, bucket);
  if (confirm !== prefix) throw invalidField('confirm', 'mismatch', `must be the folder, «${prefix}».`);
  const until = performance.now() + FOLDER_MS;
  const answer = await askStore(core, row, async (client, signal) => {
    let removed = 0;
    for (;;) {
      // What was listed is gone when the next are listed: there is no place to go on from.
      const { items, next } = await client.list(bucket, { prefix, limit: BATCH }, signal);
      // Once something is deleted, the rest follows, and all of it is recorded.
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
  tellOf(core, row, 'objects');
  return answer;
}

/** @throws DavitError conflict for a store that the world does not reach */
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
    const message = `The world does not reach ${row.name}, so the address would lead nowhere: expose it first.`;
    throw new DavitError('conflict', message);
  }
  const at = core.now();
  try {
    using client = await clientOfStore(core, row, endpoint);
    // The address lasts longer than the rights.
    core.store.trail.demandRights();
    const url = await client.presign(method, bucket, key, expires_s);
    return { url, method, expires_at: timestamp(at + expires_s * 1_000) };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** @throws DavitError not_found for one that its keys are not for, or that there cannot be */
export function demandOwn(row: StoreRow, bucket: string): void {
  if ((row.bucket === null || row.bucket === bucket) && isBucketName(bucket)) return;
  throw new DavitError('not_found', `${row.name} has no such bucket: list its buckets.`);
}

function presentBucket({ name, createdAt }: FoundBucket): Bucket {
  return { name, created_at: timestamp(createdAt) };
}

function presentObject({ kind, key, bytes, modifiedAt, etag }: FoundObject): ObjectEntry {
  return { kind, key, size_bytes: bytes, modified_at: timestamp(modifiedAt), etag };
}
