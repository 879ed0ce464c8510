import { z } from 'zod';

export const KEPT_FOR = ['live', 'rollback', 'unfinished', 'unrecorded'] as const;

export const HeldImage = z
  .object({
    tag: z.string().describe('Local tag that Davit created to keep the image.'),
    app: z
      .string()
      .nullable()
      .describe('Address of the app: `project/environment/app`. `null` if the app was deleted.'),
    deployment: z
      .int()
      .nullable()
      .describe('ID of the deployment that the image belongs to. `null` if the deployment is no longer stored.'),
    image_id: z.string().describe('ID of the image in Docker. Several tags can refer to the same image.'),
    size_bytes: z
      .int()
      .describe('Size of the image in bytes, including layers that other images also use. 0 if the image is missing.'),
    kept_for: z
      .enum(KEPT_FOR)
      .nullable()
      .describe(
        'Reason why Davit keeps the image. `live`: the live release uses the image. `rollback`: a rollback can use the image. `unfinished`: a deployment in progress uses the image. `unrecorded`: the image is orphaned, because Davit has no record of the deployment that used it. `null` if the image is no longer needed.',
      ),
    missing: z
      .boolean()
      .describe(
        'Whether another user or program removed the image from Docker. The field `image_missing` of the deployment has the details.',
      ),
  })
  .meta({ id: 'HeldImage' });
export type HeldImage = z.infer<typeof HeldImage>;

export const ImageCollection = z
  .object({
    dry_run: z.boolean().describe('Whether this is only a preview. If `true`, Davit removed nothing.'),
    images: z
      .array(HeldImage)
      .describe(
        'Unused images of releases that Davit removed. In a preview (`dry_run`): images that Davit would remove.',
      ),
    names: z
      .array(z.string())
      .describe('Names of images that Davit pulled from a registry and removes because they are no longer used.'),
    freed_bytes: z
      .int()
      .describe(
        'Size of the removed images in bytes. The freed disk space can be smaller, because Docker keeps layers that other images also use.',
      ),
  })
  .meta({ id: 'ImageCollection' });
export type ImageCollection = z.infer<typeof ImageCollection>;
