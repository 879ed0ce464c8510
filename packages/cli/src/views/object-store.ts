import {
  type Bucket,
  bytes,
  type ObjectEntry,
  type ObjectStore,
  type ObjectStoreCheck,
  type ObjectStoreCredentials,
  type ObjectStoreProvider,
} from '@davit/api';
import type { ListView } from '../output/printer.ts';
import type { Field } from '../output/record.ts';
import { minute } from '../output/words.ts';
import { limitsOf, statusOf, taskOf } from './managed-service.ts';

export const storeList: ListView<ObjectStore> = {
  columns: [
    { header: 'object store', value: ({ name }) => name, style: () => 'bold' },
    { header: 'kind', value: ({ kind, provider }) => provider ?? kind },
    { header: 'status', value: statusOf },
    { header: 'project', value: ({ project }) => project ?? 'all projects' },
    { header: 'apps', value: ({ attachments }) => attachments.length, align: 'right' },
    { header: 'endpoint', value: ({ endpoint }) => endpoint },
  ],
  id: ({ name }) => name,
  empty:
    'No object stores found. Link an object store with `davit object-store link`, or create an object store with `davit object-store create`.',
};

export function storeFields(store: ObjectStore): Field[] {
  return [
    ['object store', store.name, 'bold'],
    ['kind', store.provider ?? store.kind],
    ['status', statusOf(store)],
    ['reason', store.status_reason ?? undefined, 'red'],
    ['task', taskOf(store)],
    ['description', store.description || undefined],
    ['project', store.project ?? 'all projects'],
    ['endpoint', store.endpoint],
    ['public endpoint', store.public_endpoint ?? undefined],
    ['exposed', store.exposed === null ? undefined : `port ${store.exposed.port}`],
    ['region', store.region],
    ['limits', store.limits === null ? undefined : limitsOf(store.limits)],
    ['bucket', store.bucket ?? undefined],
    ['apps', store.attachments.map(({ app, bucket }) => `${app} (bucket ${bucket})`)],
    ['last check', minute(store.checked_at)],
    ['created', minute(store.created_at)],
  ];
}

export function storeCredentialFields(credentials: ObjectStoreCredentials): Field[] {
  return [
    ['endpoint', credentials.endpoint],
    ['region', credentials.region],
    ['access key', credentials.access_key],
    ['secret key', credentials.secret_key],
  ];
}

export const providerList: ListView<ObjectStoreProvider> = {
  columns: [
    { header: 'provider', value: ({ provider }) => provider, style: () => 'bold' },
    { header: 'name', value: ({ label }) => label },
    { header: 'required fields', value: ({ asks }) => asks.join(', ') || 'only the access keys' },
    { header: 'hint', value: ({ hint }) => hint },
  ],
  id: ({ provider }) => provider,
  empty: 'No providers found.',
};

export const checkList: ListView<ObjectStoreCheck['steps'][number]> = {
  columns: [
    { header: 'step', value: ({ step }) => step, style: ({ ok }) => (ok ? 'green' : 'red') },
    { header: 'result', value: ({ message }) => message },
  ],
  id: ({ step }) => step,
  empty: 'No checks were made.',
};

export const bucketList: ListView<Bucket> = {
  columns: [
    { header: 'bucket', value: ({ name }) => name, style: () => 'bold' },
    { header: 'created', value: ({ created_at }) => minute(created_at) },
  ],
  id: ({ name }) => name,
  empty: 'No buckets found. Create a bucket: davit object-store create-bucket <object_store> <bucket>',
};

export const objectList: ListView<ObjectEntry> = {
  columns: [
    { header: 'key', value: ({ key }) => key, style: ({ kind }) => (kind === 'folder' ? 'bold' : undefined) },
    { header: 'size', value: ({ size_bytes }) => (size_bytes === null ? null : bytes(size_bytes)), align: 'right' },
    { header: 'changed', value: ({ modified_at }) => minute(modified_at) },
  ],
  id: ({ key }) => key,
  empty: 'No objects found.',
};
