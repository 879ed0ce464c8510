import { z } from 'zod';
import { Timestamp } from './common.ts';

export const Release = z
  .object({
    tag: z.string().describe('Tag of the release. Use the tag to deploy the release.'),
    digest: z.string().describe('Digest of the image manifest that the tag refers to.'),
    bytes: z
      .int()
      .nullable()
      .describe(
        'Compressed size of the image in bytes. For a multi-platform image: the size of the images for all platforms. `null` if Davit has not measured the size yet.',
      ),
    media_type: z
      .string()
      .nullable()
      .describe('Media type of the image manifest. `null` if the media type is not known yet.'),
    pushed_at: Timestamp.describe('Time when the release was pushed.'),
    pushed_by: z
      .string()
      .nullable()
      .describe('Name of the user who pushed the release. `null` if the user is not known.'),
    deployment: z
      .int()
      .nullable()
      .describe('ID of the newest deployment of the image with this digest. `null` if the image was never deployed.'),
    live: z.boolean().describe('Whether the live release has this digest.'),
  })
  .meta({ id: 'Release', description: 'Release of an app: a tagged image in the registry of the instance.' });
export type Release = z.infer<typeof Release>;

export const LocalTag = z
  .object({
    tag: z.string().describe('Tag of the image. Use the tag to deploy the image.'),
    image_id: z.string().describe('ID of the image in Docker. Several tags can refer to the same image.'),
    bytes: z.int().describe('Size of the image in bytes, including layers that other images also use.'),
    built_at: Timestamp.describe('Time when the image was built.'),
  })
  .meta({ id: 'LocalTag', description: 'Tag of an app’s image that Docker on the server already has.' });
export type LocalTag = z.infer<typeof LocalTag>;
