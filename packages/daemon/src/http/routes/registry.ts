import { operations } from '@davit/api';
import {
  addRegistry,
  listRegistries,
  patchRegistry,
  readRegistry,
  removeRegistry,
} from '../../resources/registry-credentials/registry-credential.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const registryRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listRegistries, ({ ctx, query }) => paged(listRegistries(core, ctx, query))),
  bind(operations.addRegistry, async ({ ctx, query, body }) => {
    const registry = await addRegistry(core, ctx, body, query.check ?? true);
    return created(registry, `/api/registries/${registry.id}`);
  }),
  bind(operations.getRegistry, ({ ctx, params }) => ok(readRegistry(core, ctx, params.registry))),
  bind(operations.patchRegistry, async ({ ctx, params, query, body }) =>
    ok(await patchRegistry(core, ctx, params.registry, body, query.check ?? true)),
  ),
  bind(operations.removeRegistry, ({ ctx, params }) => {
    removeRegistry(core, ctx, params.registry);
    return noContent();
  }),
];
