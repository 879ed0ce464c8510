import { operations } from '@davit/api';
import { addDomain, listDomains, patchDomain, readDomain, removeDomain } from '../../resources/domains/domain.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const domainRoutes = (core: HttpDeps): Binding[] => [
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
