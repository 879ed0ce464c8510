import { operations } from '@davit/api';
import { collectImages, listImages } from '../../resources/images/image.ts';
import { type Binding, bind, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const imageRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listImages, async ({ ctx, query }) => paged(await listImages(core, ctx, query))),
  bind(operations.collectImages, async ({ ctx, query }) => ok(await collectImages(core, ctx, query.dry_run ?? true))),
];
