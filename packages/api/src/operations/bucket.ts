import { z } from 'zod';
import { operation } from '../operation.ts';
import {
  Bucket,
  BucketCreate,
  FolderPrefix,
  FolderRemoved,
  ObjectEntry,
  ObjectKey,
  ObjectPrefix,
  ObjectPresign,
  PresignedObject,
} from '../schemas/bucket.ts';
import { QueryBoolean, queryInteger } from '../schemas/common.ts';
import { paging, StorePath } from './parameters.ts';

const tag = 'Object stores';
const path = '/stores/{store}/buckets';
const BucketPath = StorePath.extend({ bucket: z.string().describe('The bucket’s name.') });

export const listBuckets = operation({
  id: 'listBuckets',
  method: 'GET',
  path,
  tag,
  summary: 'List a store’s buckets',
  description: 'Of a store whose keys are for one bucket, that one.',
  permission: 'read',
  scope: 'store',
  effect: 'read',
  readsElsewhere: true,
  params: StorePath,
  query: z.strictObject(paging),
  responses: { 200: { description: 'The buckets, by name.', schema: z.array(Bucket) } },
  errors: ['conflict'],
  tool: { reachesOut: true },
});

export const createBucket = operation({
  id: 'createBucket',
  method: 'POST',
  path,
  tag,
  summary: 'Make a bucket in a store',
  permission: 'operate',
  scope: 'store',
  effect: 'write',
  params: StorePath,
  body: BucketCreate,
  responses: { 201: { description: 'The bucket.', schema: Bucket, headers: { Location: 'Where it is.' } } },
  tool: { reachesOut: true },
});

export const getBucket = operation({
  id: 'getBucket',
  method: 'GET',
  path: `${path}/{bucket}`,
  tag,
  summary: 'Look whether a store has a bucket',
  permission: 'read',
  scope: 'store',
  effect: 'read',
  readsElsewhere: true,
  params: BucketPath,
  responses: { 200: { description: 'The bucket.', schema: Bucket } },
  errors: ['conflict'],
});

export const deleteBucket = operation({
  id: 'deleteBucket',
  method: 'DELETE',
  path: `${path}/{bucket}`,
  tag,
  summary: 'Delete an empty bucket',
  description: 'Refused while there is anything in it, and while an app, a backup or a schedule uses it.',
  permission: 'administer',
  scope: 'store',
  effect: 'destroy',
  params: BucketPath,
  query: z.strictObject({
    confirm: z.string().max(300).describe('The bucket’s name, so that nobody deletes another one by a slip.'),
  }),
  responses: { 204: { description: 'It is gone.' } },
  errors: ['conflict'],
});

export const listObjects = operation({
  id: 'listObjects',
  method: 'GET',
  path: `${path}/{bucket}/objects`,
  tag,
  summary: 'List what is in a bucket',
  description: 'Folder by folder: keys that go on behind the next «/» are told as one folder.',
  permission: 'secrets',
  scope: 'store',
  effect: 'read',
  readsElsewhere: true,
  params: BucketPath,
  query: z.strictObject({
    prefix: ObjectPrefix.optional().describe('Only keys that begin like this; of a folder with its final «/».'),
    flat: QueryBoolean.optional().describe('True: every key, without folders.'),
    limit: queryInteger(1, 1_000).optional().describe('How many at most; absent: 200.'),
    cursor: z.string().max(4_000).optional().describe('From the `Link` of the page before.'),
  }),
  responses: { 200: { description: 'Folders and objects, by key.', schema: z.array(ObjectEntry) } },
  errors: ['conflict'],
  tool: { reachesOut: true, tellsText: true },
});

export const deleteObject = operation({
  id: 'deleteObject',
  method: 'DELETE',
  path: `${path}/{bucket}/objects`,
  tag,
  summary: 'Delete an object',
  description: 'It is gone whether or not it was there; of a bucket with versions the store keeps the older ones.',
  permission: 'operate',
  scope: 'store',
  effect: 'destroy',
  params: BucketPath,
  query: z.strictObject({ key: ObjectKey }),
  responses: { 204: { description: 'It is gone.' } },
  errors: ['conflict'],
});

export const deleteFolder = operation({
  id: 'deleteFolder',
  method: 'DELETE',
  path: `${path}/{bucket}/folders`,
  tag,
  summary: 'Delete all objects in a folder of a bucket',
  description: 'As many as it comes to within a bounded time: the answer says whether there is more.',
  permission: 'operate',
  scope: 'store',
  effect: 'destroy',
  params: BucketPath,
  query: z.strictObject({
    prefix: FolderPrefix,
    confirm: z.string().max(1_024).describe('The same once more, so that nobody deletes another one by a slip.'),
  }),
  responses: { 200: { description: 'What was deleted.', schema: FolderRemoved } },
  errors: ['conflict'],
});

export const presignObject = operation({
  id: 'presignObject',
  method: 'POST',
  path: `${path}/{bucket}/objects/presign`,
  tag,
  summary: 'Make an address that downloads or uploads one object',
  description:
    'The bytes go between its user and the store, past this instance. Whoever has the address can use it until it expires, also when the rights of who made it have ended.',
  permission: 'operate',
  scope: 'store',
  effect: 'write',
  params: BucketPath,
  body: ObjectPresign,
  responses: { 200: { description: 'The address.', schema: PresignedObject } },
});
