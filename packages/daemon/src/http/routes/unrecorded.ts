import { operations } from '@davit/api';
import { adoptUnrecorded, deleteUnrecorded, listUnrecorded } from '../../resources/unrecorded/unrecorded.ts';
import { type Binding, bind, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const unrecordedRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listUnrecorded, async ({ ctx, query }) => paged(await listUnrecorded(core, ctx, query))),
  bind(operations.adoptUnrecorded, async ({ ctx, body }) => ok(await adoptUnrecorded(core, ctx, body))),
  bind(operations.deleteUnrecorded, async ({ ctx, query }) => {
    await deleteUnrecorded(core, ctx, query);
    return noContent();
  }),
];
