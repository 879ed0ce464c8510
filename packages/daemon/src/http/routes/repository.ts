import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { collectRegistry, deleteRepository, listRepositories, readOwnRegistry } from '../../core/repository.ts';
import { type Binding, bind, noContent, ok, paged } from '../bind.ts';

export const repositoryRoutes = (core: Core): Binding[] => [
  bind(operations.getOwnRegistry, async ({ ctx }) => ok(await readOwnRegistry(core, ctx))),
  bind(operations.listRepositories, ({ ctx, query }) => paged(listRepositories(core, ctx, query))),
  bind(operations.deleteRepository, async ({ ctx, params, query }) => {
    await deleteRepository(core, ctx, params, query.confirm);
    return noContent();
  }),
  bind(operations.collectRegistry, async ({ ctx, query }) =>
    ok(await collectRegistry(core, ctx, query.dry_run ?? true)),
  ),
];
