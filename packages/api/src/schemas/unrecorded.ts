import { z } from 'zod';
import { Slug, Timestamp } from './common.ts';

export const UNRECORDED_KINDS = ['app_volume', 'database_volume', 'object_store_volume', 'image'] as const;

export const UnrecordedName = z.string().min(1).max(255).describe('Name of the volume in Docker, or tag of the image.');

export const Unrecorded = z
  .object({
    name: UnrecordedName,
    kind: z
      .enum(UNRECORDED_KINDS)
      .describe(
        'Kind of data: a volume of an app, a volume of a database, a volume of an object store, or an image of a release.',
      ),
    made_for: z
      .string()
      .nullable()
      .describe(
        'Original owner of the volume or image: the address `project/environment/name` of an app, database or object store. `null` if the owner is unknown.',
      ),
    created_at: Timestamp.nullable().describe(
      'Creation time, if the orphaned resource is a volume. `null` for an image, or if the time is unknown.',
    ),
    size_bytes: z
      .int()
      .nullable()
      .describe('Size of the image in bytes, including layers that other images also use. `null` for a volume.'),
    removed_at: Timestamp.nullable().describe(
      'Earliest time at which Davit removes the orphaned image: 7 days after Davit discovered it. `null` for a volume, because Davit never removes an orphaned volume automatically.',
    ),
  })
  .meta({ id: 'Unrecorded' });
export type Unrecorded = z.infer<typeof Unrecorded>;

export const UnrecordedAdopt = z
  .strictObject({
    name: UnrecordedName.describe(
      'Name of an orphaned volume, which exists in Docker but not in the database of Davit.',
    ),
    project: Slug.describe('Project to which the volume is assigned.'),
  })
  .meta({ id: 'UnrecordedAdopt' });
export type UnrecordedAdopt = z.infer<typeof UnrecordedAdopt>;
