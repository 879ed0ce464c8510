import { appReference } from '@davit/api';
import type { RouteBackend, RouteServer, RouteTable } from '../proxy/proxy.ts';
import { defaultHost } from '../proxy/routes.ts';
import { allDomains, type DomainRow } from '../store/domain.ts';
import { type AppRouteRow, allAppRoutes, instancesWithTraffic, type TrafficRow } from '../store/route.ts';
import type { Base } from './base.ts';
import { routeCertificates, routeChallenges, routeDomainRules } from './certificates.ts';

/**
 * Where every request has to go, from what is on record: three statements, whatever the number of apps. The instances
 * decide what a backend's port is, not the settings, which may be ahead of what runs.
 */
export function routeTable(base: Pick<Base, 'store' | 'facts' | 'sealer' | 'now'>): RouteTable {
  const { store, facts } = base;
  const domainRules = routeDomainRules(base);
  const traffic = Map.groupBy(instancesWithTraffic(store), (row) => row.app_id);
  const domains = Map.groupBy(allDomains(store), (row) => row.app_id);
  const backends: RouteBackend[] = [];
  const hosts: RouteTable['hosts'] = [];
  for (const route of allAppRoutes(store)) {
    const { slot, protocol, app_id } = route;
    const instances = traffic.get(app_id) ?? NONE;
    const before = hosts.length;
    if (hasDefaultHost(route, instances)) hosts.push({ host: defaultHost(route, facts.domain), slot });
    for (const domain of domains.get(app_id) ?? NONE) if (uses(domain, route)) hosts.push({ host: domain.host, slot });
    if (hosts.length === before) continue;
    const app = appReference(route.project, route.environment, route.app);
    backends.push({ slot, app, protocol, servers: serversOf(route, instances) });
  }
  return {
    domain: facts.domain,
    ...(domainRules && { domainRules }),
    api: facts.apiAddress,
    backends,
    hosts,
    certificates: routeCertificates(base),
    challenges: routeChallenges(base),
  };
}

const NONE: readonly never[] = [];

function uses(domain: DomainRow, route: AppRouteRow): boolean {
  return domain.port === route.port && domain.protocol === route.protocol;
}

/** An app that became a worker keeps its host for as long as a release with a port runs. */
function hasDefaultHost({ port, protocol, worker }: AppRouteRow, instances: readonly TrafficRow[]): boolean {
  return port === null && protocol === 'http' && (worker === 0 || instances.some((row) => row.port !== null));
}

function serversOf(route: AppRouteRow, instances: readonly TrafficRow[]): RouteServer[] {
  const servers: RouteServer[] = [];
  for (const { id, address, role, port: own } of instances) {
    const port = route.port ?? own;
    if (port !== null) servers.push({ name: `i${id}`, address, port, state: role });
  }
  return servers;
}
