import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { addRegistry, listRegistries, patchRegistry, readRegistry, removeRegistry } from '../../core/registry.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';

export const registryRoutes = (core: Core): Binding[] => [
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
