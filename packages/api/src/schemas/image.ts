import { z } from 'zod';

export const KEPT_FOR = ['live', 'rollback', 'unfinished', 'unrecorded'] as const;

export const HeldImage = z
  .object({
    tag: z.string().describe('The local tag that holds it; made by this instance, and never anybody else’s.'),
    app: z.string().nullable().describe('`project/environment/app`; null when the app is gone.'),
    deployment: z.int().nullable().describe('The deployment that it is held for; null when that is forgotten.'),
    image_id: z.string().describe('The engine’s id of it; several tags may hold one image.'),
    size_bytes: z
      .int()
      .describe('Size in bytes, including layers that it shares with other images. 0 if the image is missing.'),
    kept_for: z
      .enum(KEPT_FOR)
      .nullable()
      .describe(
        'Why the image is kept: its release is live, a rollback can use it, a deployment is in progress, or it has no record (see `GET /unrecorded`). `null` if it is not needed any more.',
      ),
    missing: z
      .boolean()
      .describe(
        'Whether the image was removed from the engine by another user or program. See `image_missing` of the deployment.',
      ),
  })
  .meta({ id: 'HeldImage' });
export type HeldImage = z.infer<typeof HeldImage>;

export const ImageCollection = z
  .object({
    dry_run: z.boolean().describe('Nothing was removed: this is what would be.'),
    images: z.array(HeldImage).describe('The held images that go.'),
    names: z
      .array(z.string())
      .describe('The names that go under which this instance pulled such images, and which the engine had not before.'),
    freed_bytes: z.int().describe('The most that this frees: layers that other images share stay.'),
  })
  .meta({ id: 'ImageCollection' });
export type ImageCollection = z.infer<typeof ImageCollection>;
