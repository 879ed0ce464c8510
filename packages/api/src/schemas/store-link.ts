/** Object stores that somebody else runs: who offers them, and what they are linked with. */
import { z } from 'zod';
import { NewBucketName } from './bucket-name.ts';
import { Slug } from './common.ts';

export const STORE_PROVIDERS = ['aws', 'cloudflare', 'digitalocean', 'backblaze', 'minio', 'generic'] as const;
export type StoreProviderCode = (typeof STORE_PROVIDERS)[number];

/** Nothing of it can end a header, and neither can be mistaken for a part of a signature. */
const VISIBLE = /^[\x21-\x7e]+$/;

export const AccessKey = z
  .string()
  .min(3)
  .max(128)
  .regex(/^[\x21-\x2b\x2d\x2e\x30-\x3c\x3e-\x7e]+$/, 'must be visible ASCII without «,», «/» and «=»')
  .describe('What the store calls the access key’s ID.');
export const SecretKey = z
  .string()
  .min(8)
  .max(512)
  .regex(VISIBLE, 'must be visible ASCII')
  .describe('Kept sealed; `…/credentials` tells it to who may read secrets.');

export const Endpoint = z
  .string()
  .min(1)
  .max(300)
  .describe('Scheme, host and, where it has one, port: `https://s3.example.com`.');
export const Region = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'must be lower-case letters, digits and inner hyphens')
  .describe('What signatures name, such as `eu-central-1`.');
const Account = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must be the account’s ID: 32 hexadecimal digits')
  .describe('For Cloudflare R2: the account’s ID.');
export const StoreDescription = z
  .string()
  .max(500)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'must be one line');

export const place = {
  endpoint: Endpoint,
  region: Region,
  path_style: z.boolean(),
  public_endpoint: Endpoint.nullable().describe('Where the world asks it, if that is elsewhere.'),
  bucket: NewBucketName.nullable().describe('The one bucket that its keys are for.'),
};

export const StoreLink = z
  .strictObject({
    name: Slug,
    description: StoreDescription.default(''),
    provider: z.enum(STORE_PROVIDERS),
    project: Slug.nullable().default(null).describe('Only its apps use it. Null: every project’s.'),
    endpoint: Endpoint.optional(),
    region: Region.optional(),
    account: Account.optional(),
    path_style: place.path_style.optional().describe('Absent: as the provider has it.'),
    public_endpoint: place.public_endpoint.default(null),
    bucket: place.bucket.default(null),
    access_key: AccessKey,
    secret_key: SecretKey,
  })
  .meta({ id: 'StoreLink', description: 'What a provider asks for besides the keys is in `GET /store-providers`.' });
export type StoreLink = z.infer<typeof StoreLink>;

export const StoreProvider = z
  .object({
    provider: z.enum(STORE_PROVIDERS),
    label: z.string(),
    asks: z.array(z.enum(['endpoint', 'region', 'account'])).describe('What has to be named besides the keys.'),
    takes: z.array(z.enum(['endpoint', 'region', 'path_style'])).describe('What may be named.'),
    endpoint: z.string().nullable().describe('How its address is made of what it asks for.'),
    regions: z.array(z.string()).describe('Examples.'),
    hint: z.string().describe('Where its keys are made, and what they need to be for.'),
  })
  .meta({ id: 'StoreProvider' });
export type StoreProvider = z.infer<typeof StoreProvider>;
