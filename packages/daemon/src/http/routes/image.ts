import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { collectImages, listImages } from '../../core/image.ts';
import { type Binding, bind, ok, paged } from '../bind.ts';

export const imageRoutes = (core: Core): Binding[] => [
  bind(operations.listImages, async ({ ctx, query }) => paged(await listImages(core, ctx, query))),
  bind(operations.collectImages, async ({ ctx, query }) => ok(await collectImages(core, ctx, query.dry_run ?? true))),
];
