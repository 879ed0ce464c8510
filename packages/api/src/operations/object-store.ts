import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { ObjectStore, ObjectStoreCheck, ObjectStoreCredentials } from '../schemas/object-store.ts';
import { ObjectStorePatch } from '../schemas/object-store-change.ts';
import { ObjectStoreLink, ObjectStoreProvider } from '../schemas/object-store-link.ts';
import { ObjectStorePath, paging } from './parameters.ts';

const tag = 'Object stores';
const Check = z.strictObject({
  check: QueryBoolean.optional().describe(
    '`false` skips the check of the object store. Use `false` if the object store is currently unavailable. Default: `true`.',
  ),
});

export const listObjectStores = operation({
  id: 'listObjectStores',
  method: 'GET',
  path: '/object-stores',
  tag,
  summary: 'List object stores',
  description:
    'Returns the object stores of all projects that the caller can access, including object stores in the trash. Object stores without a project are included for callers with access to all projects.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'Object stores, sorted by name.', schema: z.array(ObjectStore) } },
  tool: {},
});

export const listObjectStoreProviders = operation({
  id: 'listObjectStoreProviders',
  method: 'GET',
  path: '/object-store-providers',
  tag,
  summary: 'List providers of object stores',
  description:
    'Returns the providers whose object stores you can link to Davit, and the fields that each provider requires.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'Providers of object stores.', schema: z.array(ObjectStoreProvider) } },
});

export const linkObjectStore = operation({
  id: 'linkObjectStore',
  method: 'POST',
  path: '/object-stores',
  tag,
  summary: 'Link an object store',
  description:
    'Links an S3-compatible object store that the instance does not run. Davit first connects to the object store. If the object store refuses the connection, the error has the reason. To create an object store that the instance runs, use `POST /projects/{project}/environments/{environment}/object-stores`. To link an object store without a project, you need access to all projects. You also need access to all projects if the endpoint has a private address or an address of the server.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  query: Check,
  body: ObjectStoreLink,
  responses: {
    201: {
      description: 'The new object store.',
      schema: ObjectStore,
      headers: { Location: 'URL of the object store.' },
    },
  },
  errors: ['not_found', 'check_failed'],
});

export const getObjectStore = operation({
  id: 'getObjectStore',
  method: 'GET',
  path: '/object-stores/{object_store}',
  tag,
  summary: 'Get an object store',
  description: 'Returns an object store, without its access keys.',
  permission: 'read',
  scope: 'object_store',
  effect: 'read',
  params: ObjectStorePath,
  responses: { 200: { description: 'The object store.', schema: ObjectStore } },
  tool: {},
});

export const patchObjectStore = operation({
  id: 'patchObjectStore',
  method: 'PATCH',
  path: '/object-stores/{object_store}',
  tag,
  summary: 'Update an object store',
  description:
    'Davit connects to a linked object store before saving the change. To check only the stored values, send `{}` as the body. If the request changes the access keys, attached apps get the new keys with their next deployment.',
  permission: 'administer',
  scope: 'object_store',
  effect: 'write',
  params: ObjectStorePath,
  query: Check,
  body: ObjectStorePatch,
  responses: { 200: { description: 'The object store.', schema: ObjectStore } },
  errors: ['conflict', 'check_failed', 'quota_exceeded'],
});

export const deleteObjectStore = operation({
  id: 'deleteObjectStore',
  method: 'DELETE',
  path: '/object-stores/{object_store}',
  tag,
  summary: 'Delete an object store',
  description:
    'Davit refuses the request if an app, a backup or a schedule uses the object store. For a linked object store, Davit deletes only the link and the access keys, and the objects remain (status 204). Davit moves a managed object store to the trash (status 200). A second request permanently deletes an object store in the trash with its objects (status 204).',
  permission: 'administer',
  scope: 'object_store',
  effect: 'destroy',
  params: ObjectStorePath,
  query: z.strictObject({
    confirm: z.string().max(100).describe('Name of the object store, repeated to confirm the deletion.'),
  }),
  responses: {
    200: { description: 'The managed object store was moved to the trash.', schema: ObjectStore },
    204: { description: 'The object store was deleted.' },
  },
  errors: ['conflict'],
});

export const getObjectStoreCredentials = operation({
  id: 'getObjectStoreCredentials',
  method: 'GET',
  path: '/object-stores/{object_store}/credentials',
  tag,
  summary: 'Get the access keys of an object store',
  permission: 'secrets',
  scope: 'object_store',
  effect: 'read',
  params: ObjectStorePath,
  responses: { 200: { description: 'Endpoint and access keys of the object store.', schema: ObjectStoreCredentials } },
  errors: ['conflict'],
});

export const checkObjectStore = operation({
  id: 'checkObjectStore',
  method: 'POST',
  path: '/object-stores/{object_store}/check',
  tag,
  summary: 'Check an object store',
  description:
    'Davit connects to the object store with its access keys. If `bucket` is set, Davit writes, reads, lists and deletes a small object in this bucket. Otherwise, Davit only lists the buckets. If the check fails, the HTTP status is still 200, and the response has the result of each step.',
  permission: 'operate',
  scope: 'object_store',
  effect: 'write',
  params: ObjectStorePath,
  query: z.strictObject({
    bucket: z
      .string()
      .max(255)
      .optional()
      .describe(
        'Name of the bucket that Davit checks. Default: the only bucket that the access keys allow, or no bucket if the keys allow several.',
      ),
  }),
  responses: { 200: { description: 'Result of the check.', schema: ObjectStoreCheck } },
  tool: { reachesOut: true, repeatable: true },
});
