import { z } from 'zod';
import { STORE_STATUSES } from '../states/store.ts';
import { Timestamp } from './common.ts';
import { keptLimits } from './limits.ts';
import { STORE_PROVIDERS } from './store-link.ts';

export const StoreLimits = z
  .strictObject(keptLimits)
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

const CheckStep = z.object({
  step: z.enum(['buckets', 'write', 'read', 'list', 'delete']),
  ok: z.boolean(),
  message: z.string().describe('What was found, in a sentence.'),
});

export const StoreCheck = z
  .object({ ok: z.boolean(), steps: z.array(CheckStep), duration_ms: z.int() })
  .meta({ id: 'StoreCheck' });
export type StoreCheck = z.infer<typeof StoreCheck>;
