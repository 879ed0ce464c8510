import { operations } from '@davit/api';
import { listLocalTags } from '../../resources/deployments/local-tags.ts';
import { deleteRelease, listReleases, readRelease } from '../../resources/releases/release.ts';
import { type Binding, bind, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const releaseRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listReleases, ({ ctx, target, query }) => paged(listReleases(core, ctx, target, query))),
  bind(operations.listLocalTags, async ({ ctx, target, query }) =>
    paged(await listLocalTags(core, ctx, target, query)),
  ),
  bind(operations.getRelease, ({ ctx, target, params }) => ok(readRelease(core, ctx, target, params.tag))),
  bind(operations.deleteRelease, async ({ ctx, target, params }) => {
    await deleteRelease(core, ctx, target, params.tag);
    return noContent();
  }),
];
