import { operations } from '@davit/api';
import {
  collectRegistry,
  deleteRepository,
  listRepositories,
  readOwnRegistry,
} from '../../resources/registry/repository.ts';
import { type Binding, bind, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const repositoryRoutes = (core: HttpDeps): Binding[] => [
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
