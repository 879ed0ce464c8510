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
import { ObjectStorePath, paging } from './parameters.ts';

const tag = 'Object stores';
const path = '/object-stores/{object_store}/buckets';
const BucketPath = ObjectStorePath.extend({ bucket: z.string().describe('Name of the bucket.') });

export const listBuckets = operation({
  id: 'listBuckets',
  method: 'GET',
  path,
  tag,
  summary: 'List the buckets of an object store',
  description: 'If the access keys of the object store allow only one bucket, the list has only this bucket.',
  permission: 'read',
  scope: 'object_store',
  effect: 'read',
  readsElsewhere: true,
  params: ObjectStorePath,
  query: z.strictObject(paging),
  responses: { 200: { description: 'Buckets, sorted by name.', schema: z.array(Bucket) } },
  errors: ['conflict'],
  tool: { reachesOut: true },
});

export const createBucket = operation({
  id: 'createBucket',
  method: 'POST',
  path,
  tag,
  summary: 'Create a bucket',
  permission: 'operate',
  scope: 'object_store',
  effect: 'write',
  params: ObjectStorePath,
  body: BucketCreate,
  responses: { 201: { description: 'The new bucket.', schema: Bucket, headers: { Location: 'URL of the bucket.' } } },
  tool: { reachesOut: true },
});

export const getBucket = operation({
  id: 'getBucket',
  method: 'GET',
  path: `${path}/{bucket}`,
  tag,
  summary: 'Get a bucket',
  description: 'Davit checks in the object store whether the bucket exists.',
  permission: 'read',
  scope: 'object_store',
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
  description:
    'Davit refuses the request if the bucket has objects, or if an app, a backup or a schedule uses the bucket.',
  permission: 'administer',
  scope: 'object_store',
  effect: 'destroy',
  params: BucketPath,
  query: z.strictObject({
    confirm: z.string().max(300).describe('Name of the bucket, repeated to confirm the deletion.'),
  }),
  responses: { 204: { description: 'The bucket was deleted.' } },
  errors: ['conflict'],
});

export const listObjects = operation({
  id: 'listObjects',
  method: 'GET',
  path: `${path}/{bucket}/objects`,
  tag,
  summary: 'List the objects of a bucket',
  description:
    'The list has the objects and folders directly under `prefix`. A `/` in a key separates folders: the object `pictures/ship.jpg` is in the folder `pictures/`.',
  permission: 'secrets',
  scope: 'object_store',
  effect: 'read',
  readsElsewhere: true,
  params: BucketPath,
  query: z.strictObject({
    prefix: ObjectPrefix.optional().describe(
      'Prefix of the keys to return. To list a folder, use its name with a final `/`.',
    ),
    flat: QueryBoolean.optional().describe(
      '`true` lists all objects, including objects in folders, without grouping them by folder. Default: `false`.',
    ),
    limit: queryInteger(1, 1_000).optional().describe('Maximum number of results. Default: 200.'),
    cursor: z.string().max(4_000).optional().describe('Cursor from the `Link` header of the previous page.'),
  }),
  responses: { 200: { description: 'Folders and objects, sorted by key.', schema: z.array(ObjectEntry) } },
  errors: ['conflict'],
  tool: { reachesOut: true, tellsText: true },
});

export const deleteObject = operation({
  id: 'deleteObject',
  method: 'DELETE',
  path: `${path}/{bucket}/objects`,
  tag,
  summary: 'Delete an object',
  description:
    'The deletion also succeeds if the object does not exist. If versioning is enabled for the bucket, the object store keeps older versions of the deleted object.',
  permission: 'operate',
  scope: 'object_store',
  effect: 'destroy',
  params: BucketPath,
  query: z.strictObject({ key: ObjectKey }),
  responses: { 204: { description: 'The object was deleted or did not exist.' } },
  errors: ['conflict'],
});

export const deleteFolder = operation({
  id: 'deleteFolder',
  method: 'DELETE',
  path: `${path}/{bucket}/folders`,
  tag,
  summary: 'Delete a folder of a bucket',
  description:
    'Davit deletes all objects in the folder, but stops after 15 seconds. If objects are left, `more` in the response is `true`. To delete the remaining objects, repeat the request.',
  permission: 'operate',
  scope: 'object_store',
  effect: 'destroy',
  params: BucketPath,
  query: z.strictObject({
    prefix: FolderPrefix,
    confirm: z
      .string()
      .max(1_024)
      .describe('Prefix of the folder, to confirm the deletion. Must be the same as `prefix`.'),
  }),
  responses: { 200: { description: 'Number of deleted objects.', schema: FolderRemoved } },
  errors: ['conflict'],
});

export const presignObject = operation({
  id: 'presignObject',
  method: 'POST',
  path: `${path}/{bucket}/objects/presign`,
  tag,
  summary: 'Create a presigned URL for an object',
  description:
    'Anyone with the presigned URL can download or upload this one object until the URL expires, even after its creator has lost access. The transfer goes directly to the object store and not through the instance. Davit refuses the request for a managed object store that is not exposed.',
  permission: 'operate',
  scope: 'object_store',
  effect: 'write',
  params: BucketPath,
  body: ObjectPresign,
  responses: { 200: { description: 'The presigned URL.', schema: PresignedObject } },
  returnsSecrets: true,
});
