import { z } from 'zod';
import { STORE_STATUSES } from '../states/store.ts';
import { Port, Slug, Timestamp } from './common.ts';

export const STORE_PROVIDERS = ['aws', 'cloudflare', 'digitalocean', 'backblaze', 'minio', 'generic'] as const;
export type StoreProviderCode = (typeof STORE_PROVIDERS)[number];

/** The ports of the machine that exposed stores are given unless one is named. */
export const STORE_PORTS = { first: 16_000, last: 16_999 } as const;

/** Nothing of it can end a header, and neither can be mistaken for a part of a signature. */
const VISIBLE = /^[\x21-\x7e]+$/;

const AccessKey = z
  .string()
  .min(3)
  .max(128)
  .regex(/^[\x21-\x2b\x2d\x2e\x30-\x3c\x3e-\x7e]+$/, 'must be visible ASCII without «,», «/» and «=»')
  .describe('What the store calls the access key’s ID.');
const SecretKey = z
  .string()
  .min(8)
  .max(512)
  .regex(VISIBLE, 'must be visible ASCII')
  .describe('Kept sealed; `…/credentials` tells it to who may read secrets.');

const Endpoint = z
  .string()
  .min(1)
  .max(300)
  .describe('Scheme, host and, where it has one, port: `https://s3.example.com`.');
const Region = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'must be lower-case letters, digits and inner hyphens')
  .describe('What signatures name, such as `eu-central-1`.');
const Account = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must be the account’s ID: 32 hexadecimal digits')
  .describe('For Cloudflare R2: the account’s ID.');
/** As stores take them today; what older ones have is read all the same. */
export const BucketName = z
  .string()
  .min(3)
  .max(63)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])$/, 'must be lower-case letters, digits and inner «-» and «.»')
  .refine((name) => !name.includes('..'), 'must not have two dots side by side')
  .refine((name) => !/^\d+\.\d+\.\d+\.\d+$/.test(name), 'must not look like an address')
  .describe('3 to 63 lower-case letters, digits, inner hyphens and dots.');

const Description = z
  .string()
  .max(500)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'must be one line');

export const StoreLimits = z
  .strictObject({
    cpu: z.number().min(0.01).max(1_024).nullable().default(null).describe('Cores; null: no limit.'),
    memory_bytes: z
      .int()
      .min(64 * 1024 * 1024)
      .nullable()
      .default(null)
      .describe('Null: the machine less what the platform keeps for itself.'),
  })
  .meta({ id: 'StoreLimits', description: 'What a managed store may use; acts at once.' });
export type StoreLimits = z.infer<typeof StoreLimits>;

const StoreAttachment = z.object({
  app: z.string().describe('`project/environment/app`.'),
  bucket: z.string(),
  prefix: z.string().describe('What its variables begin with.'),
  variables: z.array(z.string()).describe('The variables that the app gets of it, unless it has its own.'),
});

export const ObjectStore = z
  .object({
    name: z.string().describe('Permanent, and unique in the instance.'),
    kind: z.enum(['linked', 'managed']).describe('`linked`: somebody else’s. `managed`: run by this instance.'),
    description: z.string(),
    provider: z.enum(STORE_PROVIDERS).nullable().describe('Of a linked one.'),
    project: z
      .string()
      .nullable()
      .describe('Only its apps use it, and who sees it sees the store. Null: who sees every project.'),
    environment: z.string().nullable().describe('Of a managed one: where it runs.'),
    endpoint: z.string().describe('Where the instance and its apps ask it.'),
    public_endpoint: z
      .string()
      .nullable()
      .describe('Where the world asks it, which presigned addresses lead to. Null: it cannot.'),
    region: z.string(),
    path_style: z.boolean().describe('Buckets stand in the path instead of the host name.'),
    bucket: z.string().nullable().describe('The one bucket that its keys are for. Null: all that they may see.'),
    status: z
      .enum(STORE_STATUSES)
      .describe('`linked`: it is asked only when it is used. Of a managed one: as of a database.'),
    status_reason: z.string().nullable().describe('Why it is not as it should be, in a sentence.'),
    version: z.string().nullable().describe('Of a managed one: its image’s tag.'),
    image: z.string().nullable().describe('Of a managed one: what it runs.'),
    limits: StoreLimits.nullable().describe('Of a managed one.'),
    exposed: z.object({ port: z.int() }).nullable().describe('The port of the machine that leads to it.'),
    attachments: z.array(StoreAttachment).describe('The apps that are given its variables, of those you see.'),
    checked_at: Timestamp.nullable().describe('When it last took the keys; null: it was not asked.'),
    task: z.int().nullable().describe('The task that is open for it.'),
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted: z
      .object({ at: Timestamp, expires_at: Timestamp.describe('When it is removed for good, with its data.') })
      .nullable(),
  })
  .meta({ id: 'ObjectStore' });
export type ObjectStore = z.infer<typeof ObjectStore>;

const place = {
  endpoint: Endpoint,
  region: Region,
  path_style: z.boolean(),
  public_endpoint: Endpoint.nullable().describe('Where the world asks it, if that is elsewhere.'),
  bucket: BucketName.nullable().describe('The one bucket that its keys are for.'),
};

export const StoreLink = z
  .strictObject({
    name: Slug,
    description: Description.default(''),
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

export const StorePatch = z
  .strictObject({
    description: Description.optional(),
    endpoint: Endpoint.optional(),
    region: Region.optional(),
    path_style: place.path_style.optional(),
    public_endpoint: place.public_endpoint.optional(),
    bucket: place.bucket.optional(),
    access_key: AccessKey.optional(),
    secret_key: SecretKey.optional(),
    limits: z
      .strictObject({
        cpu: z.number().min(0.01).max(1_024).nullable().optional(),
        memory_bytes: z
          .int()
          .min(64 * 1024 * 1024)
          .nullable()
          .optional(),
      })
      .optional()
      .describe('Of a managed one; what is absent stays, and they act at once.'),
  })
  .meta({
    id: 'StorePatch',
    description:
      'What is absent stays. Where a linked store is, and its keys, are its owner’s to say; of a managed one only the description and the limits change.',
  });
export type StorePatch = z.infer<typeof StorePatch>;

export const StoreCreate = z
  .strictObject({
    name: Slug,
    description: Description.default(''),
    version: z
      .string()
      .max(60)
      .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/, 'must be an image’s tag')
      .optional()
      .describe('A tag of SeaweedFS’s image; absent: the one that is known to work.'),
    limits: StoreLimits.prefault({}),
  })
  .meta({ id: 'StoreCreate' });
export type StoreCreate = z.infer<typeof StoreCreate>;

export const StoreExpose = z
  .strictObject({
    port: Port.min(1_024)
      .optional()
      .describe(`Absent: the first free one from ${STORE_PORTS.first} to ${STORE_PORTS.last}.`),
  })
  .meta({ id: 'StoreExpose' });
export type StoreExpose = z.infer<typeof StoreExpose>;

export const StoreCredentials = z
  .object({
    endpoint: z.string(),
    public_endpoint: z.string().nullable(),
    region: z.string(),
    path_style: z.boolean(),
    access_key: z.string(),
    secret_key: z.string(),
  })
  .meta({ id: 'StoreCredentials' });
export type StoreCredentials = z.infer<typeof StoreCredentials>;

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

const CheckStep = z.object({
  step: z.enum(['buckets', 'write', 'read', 'list', 'delete']),
  ok: z.boolean(),
  message: z.string().describe('What was found, in a sentence.'),
});

export const StoreCheck = z
  .object({ ok: z.boolean(), steps: z.array(CheckStep), duration_ms: z.int() })
  .meta({ id: 'StoreCheck' });
export type StoreCheck = z.infer<typeof StoreCheck>;
