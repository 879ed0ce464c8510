import type { Bucket, ObjectEntry, ObjectStore, StoreCheck, StoreCredentials, StoreProvider } from '@davit/api';
import type { ListView } from '../output/printer.ts';
import type { Field } from '../output/record.ts';
import { bytes, minute } from '../output/words.ts';
import { limitsOf, statusOf, taskOf } from './managed-service.ts';

export const storeList: ListView<ObjectStore> = {
  columns: [
    { header: 'store', value: ({ name }) => name, style: () => 'bold' },
    { header: 'kind', value: ({ kind, provider }) => provider ?? kind },
    { header: 'status', value: statusOf },
    { header: 'for', value: ({ project }) => project ?? 'every project' },
    { header: 'apps', value: ({ attachments }) => attachments.length, align: 'right' },
    { header: 'endpoint', value: ({ endpoint }) => endpoint },
  ],
  id: ({ name }) => name,
  empty: 'There is no object store: «davit store link» links one, «davit store create» makes one.',
};

export function storeFields(store: ObjectStore): Field[] {
  return [
    ['store', store.name, 'bold'],
    ['kind', store.provider ?? store.kind],
    ['status', statusOf(store)],
    ['why', store.status_reason ?? undefined, 'red'],
    ['task', taskOf(store)],
    ['description', store.description || undefined],
    ['for', store.project ?? 'every project'],
    ['endpoint', store.endpoint],
    ['from outside', store.public_endpoint ?? undefined],
    ['exposed', store.exposed === null ? undefined : `port ${store.exposed.port}`],
    ['region', store.region],
    ['limits', store.limits === null ? undefined : limitsOf(store.limits)],
    ['bucket', store.bucket ?? undefined],
    ['apps', store.attachments.map(({ app, bucket }) => `${app} has ${bucket}`)],
    ['checked', minute(store.checked_at)],
    ['created', minute(store.created_at)],
  ];
}

export function storeCredentialFields(credentials: StoreCredentials): Field[] {
  return [
    ['endpoint', credentials.endpoint],
    ['region', credentials.region],
    ['access key', credentials.access_key],
    ['secret key', credentials.secret_key],
  ];
}

export const providerList: ListView<StoreProvider> = {
  columns: [
    { header: 'provider', value: ({ provider }) => provider, style: () => 'bold' },
    { header: 'name', value: ({ label }) => label },
    { header: 'asks for', value: ({ asks }) => asks.join(', ') || 'the keys alone' },
    { header: 'keys', value: ({ hint }) => hint },
  ],
  id: ({ provider }) => provider,
  empty: 'There is none.',
};

export const checkList: ListView<StoreCheck['steps'][number]> = {
  columns: [
    { header: 'step', value: ({ step }) => step, style: ({ ok }) => (ok ? 'green' : 'red') },
    { header: 'found', value: ({ message }) => message },
  ],
  id: ({ step }) => step,
  empty: 'Nothing was asked.',
};

export const bucketList: ListView<Bucket> = {
  columns: [
    { header: 'bucket', value: ({ name }) => name, style: () => 'bold' },
    { header: 'created', value: ({ created_at }) => minute(created_at) },
  ],
  id: ({ name }) => name,
  empty: 'There is no bucket: «davit store create-bucket» makes one.',
};

export const objectList: ListView<ObjectEntry> = {
  columns: [
    { header: 'key', value: ({ key }) => key, style: ({ kind }) => (kind === 'folder' ? 'bold' : undefined) },
    { header: 'size', value: ({ size_bytes }) => (size_bytes === null ? null : bytes(size_bytes)), align: 'right' },
    { header: 'changed', value: ({ modified_at }) => minute(modified_at) },
  ],
  id: ({ key }) => key,
  empty: 'There is nothing in it.',
};
