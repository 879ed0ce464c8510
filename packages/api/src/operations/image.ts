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
  summary: 'List the images of releases',
  description:
    'Returns the images of releases that Davit keeps in Docker, each with the reason in `kept_for`. The list also contains images that another user or program removed from Docker. These images have `missing: true`.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'Images, sorted by tag.', schema: z.array(HeldImage) } },
});

export const collectImages = operation({
  id: 'collectImages',
  method: 'POST',
  path: '/images/collect',
  tag,
  summary: 'Remove unused images',
  description:
    'Davit removes unused images automatically every ten minutes. Davit removes only images that this instance tagged or pulled. Davit never removes the build cache, or images that other users or programs pulled or built. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  query: z.strictObject({
    dry_run: QueryBoolean.optional().describe(
      '`true`: Davit only lists the images that it would remove. `false`: Davit removes the images. Default: `true`.',
    ),
  }),
  responses: {
    200: {
      description: 'Images that would be removed. With `dry_run=false`: images that were removed.',
      schema: ImageCollection,
    },
  },
});
