/** Schemas of the creation of a managed store, and of changes of all stores. */
import { z } from 'zod';
import { Port, Slug } from './common.ts';
import { keptLimitsChange } from './limits.ts';
import { StoreLimits } from './object-store.ts';
import { AccessKey, Endpoint, place, Region, SecretKey, StoreDescription } from './store-link.ts';

/** Range of server ports for exposed stores without a selected port. */
export const STORE_PORTS = { first: 16_000, last: 16_999 } as const;

export const StoreCreate = z
  .strictObject({
    name: Slug,
    description: StoreDescription.default(''),
    version: z
      .string()
      .max(60)
      .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/, 'must be an image’s tag')
      .optional()
      .describe('Tag of the SeaweedFS image. Default: a tested version.'),
    limits: StoreLimits.prefault({}),
  })
  .meta({ id: 'StoreCreate' });
export type StoreCreate = z.infer<typeof StoreCreate>;

export const StoreExpose = z
  .strictObject({
    port: Port.min(1_024)
      .optional()
      .describe(`Port of the server. Default: the first free port from ${STORE_PORTS.first} to ${STORE_PORTS.last}.`),
  })
  .meta({ id: 'StoreExpose' });
export type StoreExpose = z.infer<typeof StoreExpose>;

export const StorePatch = z
  .strictObject({
    description: StoreDescription.optional(),
    endpoint: Endpoint.optional(),
    region: Region.optional(),
    path_style: place.path_style.optional(),
    public_endpoint: place.public_endpoint.optional(),
    bucket: place.bucket.optional(),
    access_key: AccessKey.optional(),
    secret_key: SecretKey.optional(),
    limits: keptLimitsChange
      .optional()
      .describe('Limits of a managed object store. Absent fields do not change. The change takes effect immediately.'),
  })
  .meta({
    id: 'StorePatch',
    description:
      'Fields to change. Absent fields do not change. Address and keys can change only for a linked object store, limits only for a managed one.',
  });
export type StorePatch = z.infer<typeof StorePatch>;
