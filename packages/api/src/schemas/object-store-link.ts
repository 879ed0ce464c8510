/** Schemas of linked object stores (provider, endpoint and credentials). */
import { z } from 'zod';
import { NewBucketName } from './bucket-name.ts';
import { Slug } from './common.ts';

export const OBJECT_STORE_PROVIDERS = ['aws', 'cloudflare', 'digitalocean', 'backblaze', 'minio', 'generic'] as const;
export type ObjectStoreProviderCode = (typeof OBJECT_STORE_PROVIDERS)[number];

/** Matches visible ASCII characters, which HTTP headers and S3 signatures allow. */
const VISIBLE = /^[\x21-\x7e]+$/;

export const AccessKey = z
  .string()
  .min(3)
  .max(128)
  .regex(
    /^[\x21-\x2b\x2d\x2e\x30-\x3c\x3e-\x7e]+$/,
    'must contain only visible ASCII characters, without “,”, “/” and “=”',
  )
  .describe('Access key ID of the object store.');
export const SecretKey = z
  .string()
  .min(8)
  .max(512)
  .regex(VISIBLE, 'must contain only visible ASCII characters')
  .describe(
    'Secret access key of the object store. Davit stores the key encrypted. Users who may read secrets can get the key at the path `…/credentials`.',
  );

export const Endpoint = z
  .string()
  .min(1)
  .max(300)
  .describe('Address of the object store, with scheme, host and optional port, for example `https://s3.example.com`.');
export const Region = z
  .string()
  .max(60)
  .regex(
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
    'must contain only lower-case letters, digits and hyphens, with no hyphen at the start or end',
  )
  .describe('Region for request signatures, for example `eu-central-1`.');
const Account = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must be the ID of the account: 32 hexadecimal digits')
  .describe('Account ID at Cloudflare, for Cloudflare R2.');
export const ObjectStoreDescription = z
  .string()
  .max(500)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must refuse control characters
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'must be one line');

export const locationFields = {
  endpoint: Endpoint,
  region: Region,
  path_style: z.boolean(),
  public_endpoint: Endpoint.nullable().describe(
    'Public address of the object store, if it differs from `endpoint`. `null` if both addresses are the same.',
  ),
  bucket: NewBucketName.nullable().describe(
    'Name of the bucket, if the access keys allow only one bucket. `null` if the keys can list buckets.',
  ),
};

export const ObjectStoreLink = z
  .strictObject({
    name: Slug,
    description: ObjectStoreDescription.default(''),
    provider: z.enum(OBJECT_STORE_PROVIDERS),
    project: Slug.nullable()
      .default(null)
      .describe('Project whose apps can use the object store. `null`: the apps of all projects.'),
    endpoint: Endpoint.optional(),
    region: Region.optional(),
    account: Account.optional(),
    path_style: locationFields.path_style
      .optional()
      .describe(
        'Whether the object store uses path-style URLs, with the bucket name in the path instead of the host name. Default: the usual URL style of the provider.',
      ),
    public_endpoint: locationFields.public_endpoint.default(null),
    bucket: locationFields.bucket.default(null),
    access_key: AccessKey,
    secret_key: SecretKey,
  })
  .meta({
    id: 'ObjectStoreLink',
    description: 'Object store to link. `GET /object-store-providers` lists the fields that each provider requires.',
  });
export type ObjectStoreLink = z.infer<typeof ObjectStoreLink>;

export const ObjectStoreProvider = z
  .object({
    provider: z.enum(OBJECT_STORE_PROVIDERS),
    label: z.string(),
    asks: z
      .array(z.enum(['endpoint', 'region', 'account']))
      .describe('Fields that this provider requires in addition to the access keys.'),
    takes: z.array(z.enum(['endpoint', 'region', 'path_style'])).describe('Optional fields for this provider.'),
    endpoint: z
      .string()
      .nullable()
      .describe(
        'Endpoint of the provider, with placeholders such as `{region}`. `null` if the provider has no standard endpoint, so you must send `endpoint` when you link an object store.',
      ),
    regions: z.array(z.string()).describe('Examples of regions of this provider.'),
    hint: z.string().describe('Where to create the access keys at the provider, and which permissions the keys need.'),
  })
  .meta({ id: 'ObjectStoreProvider' });
export type ObjectStoreProvider = z.infer<typeof ObjectStoreProvider>;
