import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { deleteRelease, listReleases, readRelease } from '../../core/release.ts';
import { type Binding, bind, noContent, ok, paged } from '../bind.ts';

export const releaseRoutes = (core: Core): Binding[] => [
  bind(operations.listReleases, ({ ctx, target, query }) => paged(listReleases(core, ctx, target, query))),
  bind(operations.getRelease, ({ ctx, target, params }) => ok(readRelease(core, ctx, target, params.tag))),
  bind(operations.deleteRelease, async ({ ctx, target, params }) => {
    await deleteRelease(core, ctx, target, params.tag);
    return noContent();
  }),
];
