/** Providers of object stores, with the rules that build the endpoint from the region or account. */
import type { ObjectStoreProvider, ObjectStoreProviderCode } from '@davit/api';

type RequiredField = ObjectStoreProvider['asks'][number];

export interface ProviderRule extends ObjectStoreProvider {
  /** Returns the endpoint URL of the provider. The function is `null` if the user must enter the endpoint. */
  endpointOf: ((asked: { region: string; account: string }) => string) | null;
  /** Default region of the object store if the user enters none. */
  region: string;
  /**
   * Region name in the signatures of requests. The field is absent if the name is equal to the region in the endpoint.
   */
  signs?: string;
  pathStyle: boolean;
}

const REGION: RequiredField[] = ['region'];

export const PROVIDERS: readonly ProviderRule[] = [
  {
    provider: 'aws',
    label: 'Amazon S3',
    asks: REGION,
    takes: [],
    endpoint: 'https://s3.{region}.amazonaws.com',
    endpointOf: ({ region }) => `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`,
    region: 'us-east-1',
    pathStyle: false,
    regions: ['us-east-1', 'us-west-2', 'eu-central-1', 'eu-west-1', 'ap-southeast-1'],
    hint: 'Create an access key of an IAM user who can read, write, list and delete objects in the buckets.',
  },
  {
    provider: 'cloudflare',
    label: 'Cloudflare R2',
    asks: ['account'],
    takes: ['endpoint'],
    endpoint: 'https://{account}.r2.cloudflarestorage.com',
    endpointOf: ({ account }) => `https://${account}.r2.cloudflarestorage.com`,
    region: 'auto',
    pathStyle: true,
    regions: ['auto'],
    hint: 'Create an API token for Cloudflare R2 with the permission “Object Read & Write”. A token with “Admin Read & Write” can also list and create buckets.',
  },
  {
    provider: 'digitalocean',
    label: 'DigitalOcean Spaces',
    asks: REGION,
    takes: [],
    endpoint: 'https://{region}.digitaloceanspaces.com',
    endpointOf: ({ region }) => `https://${region}.digitaloceanspaces.com`,
    region: 'us-east-1',
    signs: 'us-east-1',
    pathStyle: false,
    regions: ['fra1', 'ams3', 'nyc3', 'sfo3', 'sgp1'],
    hint: 'Create an access key for DigitalOcean Spaces. If the key is valid for only one bucket, also enter the name of this bucket.',
  },
  {
    provider: 'backblaze',
    label: 'Backblaze B2',
    asks: REGION,
    takes: [],
    endpoint: 'https://s3.{region}.backblazeb2.com',
    endpointOf: ({ region }) => `https://s3.${region}.backblazeb2.com`,
    region: 'us-west-004',
    pathStyle: true,
    regions: ['us-west-004', 'us-east-005', 'eu-central-003'],
    hint: 'Create an application key in Backblaze B2. The S3 API does not accept the master application key of the account.',
  },
  {
    provider: 'minio',
    label: 'MinIO',
    asks: ['endpoint'],
    takes: ['region', 'path_style'],
    endpoint: null,
    endpointOf: null,
    region: 'us-east-1',
    pathStyle: true,
    regions: ['us-east-1'],
    hint: 'Create an access key in the MinIO console, under “Access Keys”.',
  },
  {
    provider: 'generic',
    label: 'Other S3-compatible store',
    asks: ['endpoint'],
    takes: ['region', 'path_style'],
    endpoint: null,
    endpointOf: null,
    region: 'us-east-1',
    pathStyle: true,
    regions: ['us-east-1'],
    hint: 'Any object store that supports AWS Signature Version 4: Ceph, Garage, SeaweedFS, Wasabi, Hetzner and others.',
  },
];

export function providerOf(code: ObjectStoreProviderCode): ProviderRule {
  const found = PROVIDERS.find(({ provider }) => provider === code);
  if (found === undefined) throw new Error(`there is no provider ${code}`);
  return found;
}
