import { z } from 'zod';
import { Timestamp } from './common.ts';

export const Release = z
  .object({
    tag: z.string().describe('Tag of the release, which a deployment refers to.'),
    digest: z.string().describe('Digest of the manifest that the tag refers to.'),
    bytes: z
      .int()
      .nullable()
      .describe(
        'Compressed size of the configuration and all layers in bytes. For an image index: of all its images. `null` if it is not measured yet.',
      ),
    media_type: z.string().nullable().describe('Media type of the manifest. `null` if it is not known yet.'),
    pushed_at: Timestamp.describe('Time of the push.'),
    pushed_by: z.string().nullable().describe('Name of the user who pushed the release. `null` if it is not known.'),
    deployment: z
      .int()
      .nullable()
      .describe('Number of the newest deployment of this digest. `null` if it was never deployed.'),
    live: z.boolean().describe('Whether this digest is live.'),
  })
  .meta({ id: 'Release', description: 'Release of an app: a tag in its repository in the registry of the instance.' });
export type Release = z.infer<typeof Release>;
