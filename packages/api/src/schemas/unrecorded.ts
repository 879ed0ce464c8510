import { z } from 'zod';
import { Slug, Timestamp } from './common.ts';

export const UNRECORDED_KINDS = ['app_volume', 'database_volume', 'object_store_volume', 'image'] as const;

export const UnrecordedName = z
  .string()
  .min(1)
  .max(255)
  .describe('Name of the volume at the engine, or tag of the image.');

export const Unrecorded = z
  .object({
    name: UnrecordedName,
    kind: z
      .enum(UNRECORDED_KINDS)
      .describe('Volume of an app, of a database or of an object store, or image of a release.'),
    made_for: z
      .string()
      .nullable()
      .describe(
        'App, database or object store that it was created for, as `project/environment/name`; `null` if unknown.',
      ),
    created_at: Timestamp.nullable().describe('Time when the volume was created; `null` for an image, or if unknown.'),
    size_bytes: z
      .int()
      .nullable()
      .describe('Size of the image in bytes, including layers that it shares with other images; `null` for a volume.'),
    removed_at: Timestamp.nullable().describe(
      'Time after which Davit may remove an image: 7 days after it was found. `null` for a volume, which Davit never removes automatically.',
    ),
  })
  .meta({ id: 'Unrecorded' });
export type Unrecorded = z.infer<typeof Unrecorded>;

export const UnrecordedAdopt = z
  .strictObject({
    name: UnrecordedName.describe('Name of a volume without a record.'),
    project: Slug.describe('Project that gets the volume.'),
  })
  .meta({ id: 'UnrecordedAdopt' });
export type UnrecordedAdopt = z.infer<typeof UnrecordedAdopt>;
