import { z } from 'zod';

export const KEPT_FOR = ['live', 'rollback', 'unfinished'] as const;

export const HeldImage = z
  .object({
    tag: z.string().describe('The local tag that holds it; made by this instance, and never anybody else’s.'),
    app: z.string().nullable().describe('`project/environment/app`; null when the app is gone.'),
    deployment: z.int().nullable().describe('The deployment that it is held for; null when that is forgotten.'),
    image_id: z.string().describe('The engine’s id of it; several tags may hold one image.'),
    size_bytes: z.int().describe('All of it, the layers that it shares with others included.'),
    kept_for: z
      .enum(KEPT_FOR)
      .nullable()
      .describe('Why it stays: it is live, may be gone back to, or a deployment is under way. Null: for nothing.'),
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
