import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { ObjectStore, StoreCheck, StoreCredentials } from '../schemas/object-store.ts';
import { StorePatch } from '../schemas/store-change.ts';
import { StoreLink, StoreProvider } from '../schemas/store-link.ts';
import { paging, StorePath } from './parameters.ts';

const tag = 'Object stores';
const Check = z.strictObject({
  check: QueryBoolean.optional().describe('False: do not ask the store, for one that cannot be reached right now.'),
});

export const listStores = operation({
  id: 'listStores',
  method: 'GET',
  path: '/stores',
  tag,
  summary: 'List the object stores that you see',
  description: 'Those of your projects; those of no project for who sees every project. Those in the trash as well.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'The stores, by name.', schema: z.array(ObjectStore) } },
  tool: {},
});

export const listStoreProviders = operation({
  id: 'listStoreProviders',
  method: 'GET',
  path: '/store-providers',
  tag,
  summary: 'List the providers of object stores and what each asks for',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'The providers.', schema: z.array(StoreProvider) } },
});

export const linkStore = operation({
  id: 'linkStore',
  method: 'POST',
  path: '/stores',
  tag,
  summary: 'Link an object store that somebody else runs',
  description:
    'Links an S3-compatible store. Davit connects to it first; if the store refuses, the error has the reason. To create a store that the instance runs, use `POST /projects/{project}/environments/{environment}/stores`. Requires rights for all projects if the endpoint is a private address or an address of the server itself, or a host name that resolves to one.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  query: Check,
  body: StoreLink,
  responses: { 201: { description: 'The store.', schema: ObjectStore, headers: { Location: 'Where it is.' } } },
  errors: ['not_found', 'check_failed'],
});

export const getStore = operation({
  id: 'getStore',
  method: 'GET',
  path: '/stores/{store}',
  tag,
  summary: 'Read an object store, without its keys',
  permission: 'read',
  scope: 'store',
  effect: 'read',
  params: StorePath,
  responses: { 200: { description: 'The store.', schema: ObjectStore } },
  tool: {},
});

export const patchStore = operation({
  id: 'patchStore',
  method: 'PATCH',
  path: '/stores/{store}',
  tag,
  summary: 'Change an object store',
  description:
    'A linked one is checked as when it was linked; an empty change checks what is stored. Apps that it is attached to have the new keys with their next deploy.',
  permission: 'administer',
  scope: 'store',
  effect: 'write',
  params: StorePath,
  query: Check,
  body: StorePatch,
  responses: { 200: { description: 'The store.', schema: ObjectStore } },
  errors: ['conflict', 'check_failed', 'quota_exceeded'],
});

export const deleteStore = operation({
  id: 'deleteStore',
  method: 'DELETE',
  path: '/stores/{store}',
  tag,
  summary: 'Delete an object store',
  description:
    'Refused while an app, a backup or a schedule uses it. A linked one is forgotten, with its keys, and keeps its objects (204). A managed one goes to the trash (200), and from there for good, with its objects (204).',
  permission: 'administer',
  scope: 'store',
  effect: 'destroy',
  params: StorePath,
  query: z.strictObject({
    confirm: z.string().max(100).describe('The store’s name, so that nobody deletes another one by a slip.'),
  }),
  responses: {
    200: { description: 'It was managed and is in the trash now.', schema: ObjectStore },
    204: { description: 'It is gone.' },
  },
  errors: ['conflict'],
});

export const getStoreCredentials = operation({
  id: 'getStoreCredentials',
  method: 'GET',
  path: '/stores/{store}/credentials',
  tag,
  summary: 'Read an object store’s keys',
  permission: 'secrets',
  scope: 'store',
  effect: 'read',
  params: StorePath,
  responses: { 200: { description: 'What a program needs to use it.', schema: StoreCredentials } },
  errors: ['conflict'],
});

export const checkStore = operation({
  id: 'checkStore',
  method: 'POST',
  path: '/stores/{store}/check',
  tag,
  summary: 'Try an object store with its keys',
  description:
    'With a bucket, a small object is written, read, listed and deleted there; without one, the buckets are listed. What it finds is in the answer: a store that does not work is no error of this request.',
  permission: 'operate',
  scope: 'store',
  effect: 'write',
  params: StorePath,
  query: z.strictObject({
    bucket: z.string().max(255).optional().describe('Where to try. Absent: the one it is for.'),
  }),
  responses: { 200: { description: 'What was found.', schema: StoreCheck } },
  tool: { reachesOut: true, repeatable: true },
});
