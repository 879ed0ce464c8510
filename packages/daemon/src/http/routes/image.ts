import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { collectImages, listImages } from '../../core/image.ts';
import { type Binding, bind, ok } from '../bind.ts';

export const imageRoutes = (core: Core): Binding[] => [
  bind(operations.listImages, async ({ ctx }) => ok(await listImages(core, ctx))),
  bind(operations.collectImages, async ({ ctx, query }) => ok(await collectImages(core, ctx, query.dry_run ?? true))),
];
