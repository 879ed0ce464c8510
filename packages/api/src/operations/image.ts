import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { HeldImage, ImageCollection } from '../schemas/image.ts';
import { paging } from './parameters.ts';

const tag = 'Images';

export const listImages = operation({
  id: 'listImages',
  method: 'GET',
  path: '/images',
  tag,
  summary: 'List the images that are held for releases',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'The held images, by tag.', schema: z.array(HeldImage) } },
});

export const collectImages = operation({
  id: 'collectImages',
  method: 'POST',
  path: '/images/collect',
  tag,
  summary: 'Let go of images that nothing needs',
  description:
    'Runs automatically every ten minutes. Removes only images that this instance tagged or pulled. Never removes images that other users or programs pulled or built, or the build cache. Requires rights for all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  query: z.strictObject({
    dry_run: QueryBoolean.optional().describe('Absent: true. Only `false` removes anything.'),
  }),
  responses: { 200: { description: 'What went, or would go.', schema: ImageCollection } },
});
