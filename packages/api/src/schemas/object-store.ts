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
  prefix: z.string().describe('Prefix for the names of the environment variables that the app gets.'),
  variables: z
    .array(z.string())
    .describe('Names of the variables that the app gets. Variables of the app with the same names take precedence.'),
});

export const ObjectStore = z
  .object({
    name: z.string().describe('Name of the object store. The name is unique in the instance and cannot change.'),
    kind: z
      .enum(['linked', 'managed'])
      .describe(
        'Kind of object store. `linked`: another provider runs the object store. `managed`: this instance runs the object store.',
      ),
    description: z.string(),
    provider: z
      .enum(OBJECT_STORE_PROVIDERS)
      .nullable()
      .describe('Provider of a linked object store. `null` for a managed object store, which this instance runs.'),
    project: z
      .string()
      .nullable()
      .describe(
        'Project of the object store. Only apps of this project can use the object store, and only users of this project can see it. `null`: apps and users of all projects.',
      ),
    environment: z
      .string()
      .nullable()
      .describe('Environment in which Davit runs the object store. `null` if another provider runs the object store.'),
    endpoint: z.string().describe('Address at which Davit and the apps connect to the object store.'),
    public_endpoint: z
      .string()
      .nullable()
      .describe('Public address of the object store for presigned URLs. `null` if there is no public address.'),
    region: z.string(),
    path_style: z
      .boolean()
      .describe(
        'Whether the object store uses path-style URLs, with the bucket name in the path instead of the host name.',
      ),
    bucket: z
      .string()
      .nullable()
      .describe('Name of the bucket, if the access keys allow only one bucket. `null` if the keys can list buckets.'),
    status: z
      .enum(OBJECT_STORE_STATUSES)
      .describe(
        'Status of the object store. `linked`: another provider runs the object store. `degraded`: the container is running, but the object store does not respond. `down`: the container has stopped unexpectedly. `trash`: the object store is in the trash.',
      ),
    status_reason: z
      .string()
      .nullable()
      .describe('Reason for the status of the object store, in one sentence. `null` if there is no problem.'),
    version: z
      .string()
      .nullable()
      .describe('Version of the object store server. `null` if another provider runs the object store.'),
    image: z
      .string()
      .nullable()
      .describe('Image of the object store server. `null` if another provider runs the object store.'),
    limits: ObjectStoreLimits.nullable().describe(
      'CPU and memory limits of a managed object store, which this instance runs. `null` for a linked object store, which another provider runs.',
    ),
    exposed: z
      .object({ port: z.int() })
      .nullable()
      .describe(
        'Port on the server that clients outside the environment use to connect to the object store. `null` if the object store is not exposed.',
      ),
    attachments: z
      .array(ObjectStoreAttachment)
      .describe('Apps that use a bucket of this object store. The list contains only apps that you can see.'),
    checked_at: Timestamp.nullable().describe(
      'Time of the last successful check of the access keys. `null` if Davit has never checked the keys.',
    ),
    task: z
      .int()
      .nullable()
      .describe('ID of the unfinished task of the object store. `null` if there is no unfinished task.'),
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted: z
      .object({
        at: Timestamp,
        expires_at: Timestamp.describe('Time when Davit permanently deletes the object store and its data.'),
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
  message: z.string().describe('Result of this step of the check, in one sentence.'),
});

export const ObjectStoreCheck = z
  .object({ ok: z.boolean(), steps: z.array(CheckStep), duration_ms: z.int() })
  .meta({ id: 'ObjectStoreCheck' });
export type ObjectStoreCheck = z.infer<typeof ObjectStoreCheck>;
