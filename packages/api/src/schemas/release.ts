import { z } from 'zod';
import { Timestamp } from './common.ts';

export const Release = z
  .object({
    tag: z.string().describe('What it was pushed as, and what a deploy of it names.'),
    digest: z.string().describe('Of the manifest that the tag names now.'),
    bytes: z
      .int()
      .nullable()
      .describe('Configuration and layers, compressed; of an index, of all its images. Null: not measured yet.'),
    media_type: z.string().nullable().describe('Of the manifest; null: not looked at yet.'),
    pushed_at: Timestamp.describe('When the tag came to name this digest.'),
    pushed_by: z.string().nullable().describe('The account that pushed it; null where nobody told.'),
    deployment: z.int().nullable().describe('The newest deployment of this very digest; null: it was never deployed.'),
    live: z.boolean().describe('The app runs this very digest.'),
  })
  .meta({ id: 'Release', description: 'A tag in the app’s own repository of the instance’s registry.' });
export type Release = z.infer<typeof Release>;
