import { z } from 'zod';
import { OBJECT_STORE_STATUSES } from '../states/object-store.ts';
import { Timestamp } from './common.ts';
import { keptLimits } from './limits.ts';
import { OBJECT_STORE_PROVIDERS } from './object-store-link.ts';

export const ObjectStoreLimits = z.strictObject(keptLimits).meta({
  id: 'ObjectStoreLimits',
  description: 'Limits of a managed object store. A change takes effect immediately.',
});
export type ObjectStoreLimits = z.infer<typeof ObjectStoreLimits>;

const ObjectStoreAttachment = z.object({
  app: z.string().describe('Address of the app: `project/environment/app`.'),
  bucket: z.string(),
  prefix: z.string().describe('Prefix of the variable names.'),
  variables: z
    .array(z.string())
    .describe('Names of the variables that the app gets. Variables of the app with the same names take precedence.'),
});

export const ObjectStore = z
  .object({
    name: z.string().describe('Name of the object store. It is unique in the instance and cannot change.'),
    kind: z
      .enum(['linked', 'managed'])
      .describe('Kind of object store. `linked`: another provider runs it. `managed`: this instance runs it.'),
    description: z.string(),
    provider: z
      .enum(OBJECT_STORE_PROVIDERS)
      .nullable()
      .describe('Provider of a linked object store. `null` for a managed one.'),
    project: z
      .string()
      .nullable()
      .describe(
        'Project that the object store belongs to. Only its apps can use the store, and only its users can see it. `null`: the apps of all projects can use the store, and users of all projects can see it.',
      ),
    environment: z.string().nullable().describe('Environment of a managed object store. `null` for a linked one.'),
    endpoint: z.string().describe('Address for the instance and its apps.'),
    public_endpoint: z
      .string()
      .nullable()
      .describe('Public address, which presigned URLs use. `null` if there is none.'),
    region: z.string(),
    path_style: z.boolean().describe('Whether bucket names are in the path instead of the host name.'),
    bucket: z
      .string()
      .nullable()
      .describe('Only bucket that the keys give access to. `null`: all buckets that the keys can list.'),
    status: z
      .enum(OBJECT_STORE_STATUSES)
      .describe(
        'Status of the object store. `linked` for a linked object store. Managed object stores have the statuses of databases.',
      ),
    status_reason: z.string().nullable().describe('Reason of a problem, in one sentence. `null` if there is none.'),
    version: z.string().nullable().describe('Version of a managed object store. `null` for a linked one.'),
    image: z.string().nullable().describe('Image of a managed object store. `null` for a linked one.'),
    limits: ObjectStoreLimits.nullable().describe('Limits of a managed object store. `null` for a linked one.'),
    exposed: z
      .object({ port: z.int() })
      .nullable()
      .describe('Port of the server on which the object store is reachable from outside. `null` if there is none.'),
    attachments: z.array(ObjectStoreAttachment).describe('Attached apps, of those that you can see.'),
    checked_at: Timestamp.nullable().describe(
      'Time of the last successful check of the keys. `null` if they were never checked.',
    ),
    task: z.int().nullable().describe('Number of the open task of the object store. `null` if there is none.'),
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted: z
      .object({
        at: Timestamp,
        expires_at: Timestamp.describe('Time when the object store and its data are permanently deleted.'),
      })
      .nullable(),
  })
  .meta({ id: 'ObjectStore' });
export type ObjectStore = z.infer<typeof ObjectStore>;

export const ObjectStoreCredentials = z
  .object({
    endpoint: z.string(),
    public_endpoint: z.string().nullable(),
    region: z.string(),
    path_style: z.boolean(),
    access_key: z.string(),
    secret_key: z.string(),
  })
  .meta({ id: 'ObjectStoreCredentials' });
export type ObjectStoreCredentials = z.infer<typeof ObjectStoreCredentials>;

const CheckStep = z.object({
  step: z.enum(['buckets', 'write', 'read', 'list', 'delete']),
  ok: z.boolean(),
  message: z.string().describe('Result of the step in one sentence.'),
});

export const ObjectStoreCheck = z
  .object({ ok: z.boolean(), steps: z.array(CheckStep), duration_ms: z.int() })
  .meta({ id: 'ObjectStoreCheck' });
export type ObjectStoreCheck = z.infer<typeof ObjectStoreCheck>;
