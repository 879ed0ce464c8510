/** Schemas of requests that create a managed object store, or that change a managed or linked object store. */
import { z } from 'zod';
import { Port, Slug } from './common.ts';
import { keptLimitsChange } from './limits.ts';
import { ObjectStoreLimits } from './object-store.ts';
import { AccessKey, Endpoint, locationFields, ObjectStoreDescription, Region, SecretKey } from './object-store-link.ts';

/**
 * Range of TCP ports on the server for object stores with public access. If the user specifies no port, Davit selects a
 * port from this range.
 */
export const OBJECT_STORE_PORTS = { first: 16_000, last: 16_999 } as const;

export const ObjectStoreCreate = z
  .strictObject({
    name: Slug,
    description: ObjectStoreDescription.default(''),
    version: z
      .string()
      .max(60)
      .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/, 'must be an image tag')
      .optional()
      .describe('Tag of the SeaweedFS image that runs the object store. Default: a tested version.'),
    limits: ObjectStoreLimits.prefault({}),
  })
  .meta({ id: 'ObjectStoreCreate' });
export type ObjectStoreCreate = z.infer<typeof ObjectStoreCreate>;

export const ObjectStoreExpose = z
  .strictObject({
    port: Port.min(1_024)
      .optional()
      .describe(
        `Port on the server that clients outside the environment use to connect to the object store. Default: the first free port from ${OBJECT_STORE_PORTS.first} to ${OBJECT_STORE_PORTS.last}.`,
      ),
  })
  .meta({ id: 'ObjectStoreExpose' });
export type ObjectStoreExpose = z.infer<typeof ObjectStoreExpose>;

export const ObjectStorePatch = z
  .strictObject({
    description: ObjectStoreDescription.optional(),
    endpoint: Endpoint.optional(),
    region: Region.optional(),
    path_style: locationFields.path_style.optional(),
    public_endpoint: locationFields.public_endpoint.optional(),
    bucket: locationFields.bucket.optional(),
    access_key: AccessKey.optional(),
    secret_key: SecretKey.optional(),
    limits: keptLimitsChange
      .optional()
      .describe('Limits of a managed object store. Absent fields do not change. The change takes effect immediately.'),
  })
  .meta({
    id: 'ObjectStorePatch',
    description:
      'Fields to change. Absent fields do not change. Only linked object stores accept a new address or new keys. Only managed object stores accept new limits.',
  });
export type ObjectStorePatch = z.infer<typeof ObjectStorePatch>;
