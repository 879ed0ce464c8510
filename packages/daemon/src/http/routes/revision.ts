import { operations } from '@davit/api';
import { deployRestored, planRestored, restoreRevision } from '../../resources/revisions/restore.ts';
import { compareRevisions, listRevisions, readRevision } from '../../resources/revisions/revision.ts';
import { type Binding, bind, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { begun } from './begun.ts';

export const revisionRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listRevisions, ({ ctx, target, query }) => paged(listRevisions(core, ctx, target, query))),
  bind(operations.getRevision, ({ ctx, target, params }) => ok(readRevision(core, ctx, target, params.revision))),
  bind(operations.compareRevisions, ({ ctx, target, params, query }) =>
    ok(compareRevisions(core, ctx, target, params.revision, query.to)),
  ),
  bind(operations.restoreRevision, async ({ ctx, target, params, query }) => {
    if (query.dry_run) return ok(await planRestored(core, ctx, target, params.revision));
    if (!query.deploy) return ok(await restoreRevision(core, ctx, target, params.revision));
    const restored = await deployRestored(core, ctx, target, params.revision);
    return begun(restored.deployment, false, restored);
  }),
];
