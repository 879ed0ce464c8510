import { operations } from '@davit/api';
import {
  addDnsProvider,
  listDnsProviders,
  patchDnsProvider,
  readDnsProvider,
  removeDnsProvider,
} from '../../resources/dns-providers/dns-provider.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const dnsProviderRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listDnsProviders, ({ ctx, query }) => paged(listDnsProviders(core, ctx, query))),
  bind(operations.addDnsProvider, async ({ ctx, query, body }) => {
    const provider = await addDnsProvider(core, ctx, body, query.check ?? true);
    return created(provider, `/api/dns-providers/${provider.id}`);
  }),
  bind(operations.getDnsProvider, ({ ctx, params }) => ok(readDnsProvider(core, ctx, params.provider))),
  bind(operations.patchDnsProvider, async ({ ctx, params, query, body }) =>
    ok(await patchDnsProvider(core, ctx, params.provider, body, query.check ?? true)),
  ),
  bind(operations.removeDnsProvider, ({ ctx, params }) => {
    removeDnsProvider(core, ctx, params.provider);
    return noContent();
  }),
];
