import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { addDomain, listDomains, patchDomain, readDomain, removeDomain } from '../../core/domain.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';

export const domainRoutes = (core: Core): Binding[] => [
  bind(operations.listDomains, ({ ctx, target, query }) => paged(listDomains(core, ctx, target, query))),
  bind(operations.addDomain, async ({ ctx, target, body }) => {
    const domain = await addDomain(core, ctx, target, body);
    return created(domain, `/api/apps/${target.reference}/domains/${domain.id}`);
  }),
  bind(operations.getDomain, ({ ctx, target, params }) => ok(readDomain(core, ctx, target, params.domain))),
  bind(operations.patchDomain, async ({ ctx, target, params, body }) =>
    ok(await patchDomain(core, ctx, target, params.domain, body)),
  ),
  bind(operations.removeDomain, async ({ ctx, target, params }) => {
    await removeDomain(core, ctx, target, params.domain);
    return noContent();
  }),
];
