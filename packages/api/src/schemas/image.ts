import { z } from 'zod';

export const KEPT_FOR = ['live', 'rollback', 'unfinished', 'unrecorded'] as const;

export const HeldImage = z
  .object({
    tag: z.string().describe('Local tag that this instance created to keep the image.'),
    app: z
      .string()
      .nullable()
      .describe('Address of the app: `project/environment/app`. `null` if the app was deleted.'),
    deployment: z
      .int()
      .nullable()
      .describe('Number of the deployment that the image belongs to. `null` if the deployment is no longer stored.'),
    image_id: z.string().describe('Id of the image at the engine. Several tags can keep one image.'),
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
    dry_run: z.boolean().describe('Whether this is a preview and nothing was removed.'),
    images: z.array(HeldImage).describe('Images that are removed.'),
    names: z
      .array(z.string())
      .describe('Image names that are removed. The instance created them when it pulled the images.'),
    freed_bytes: z.int().describe('Maximum freed space in bytes. Layers that other images share are kept.'),
  })
  .meta({ id: 'ImageCollection' });
export type ImageCollection = z.infer<typeof ImageCollection>;
