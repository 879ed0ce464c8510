import type { RouteBackend, RouteServer, RouteTable } from '../proxy/proxy.ts';
import { defaultHost } from '../proxy/routes.ts';
import { allDomains, type DomainRow } from '../store/domains.ts';
import { type AppRouteRow, allAppRoutes, instancesWithTraffic, type TrafficRow } from '../store/routes.ts';
import type { Core } from './core.ts';

/**
 * Where every request has to go, from what is on record: three statements, whatever the number of apps. The instances
 * decide what a backend's port is, not the settings, which may be ahead of what runs.
 */
export function routeTable({ store, facts }: Pick<Core, 'store' | 'facts'>): RouteTable {
  const traffic = Map.groupBy(instancesWithTraffic(store), (row) => row.app_id);
  const domains = Map.groupBy(allDomains(store), targetOf);
  const backends: RouteBackend[] = [];
  const hosts: RouteTable['hosts'] = [];
  for (const route of allAppRoutes(store)) {
    const instances = traffic.get(route.app_id) ?? [];
    const names = (domains.get(targetOf(route)) ?? []).map((row) => row.host);
    if (hasDefaultHost(route, instances)) names.unshift(defaultHost(route, facts.domain));
    if (names.length === 0) continue;
    const { slot, protocol } = route;
    const app = `${route.project}/${route.environment}/${route.app}`;
    backends.push({ slot, app, protocol, servers: instances.flatMap((row) => serverOf(route, row)) });
    for (const host of names) hosts.push({ host, slot });
  }
  return { domain: facts.domain, api: facts.apiAddress, backends, hosts };
}

/** What a route and the domains that use it have in common. */
function targetOf({ app_id, port, protocol }: AppRouteRow | DomainRow): string {
  return `${app_id} ${port ?? ''} ${protocol}`;
}

/** An app that became a worker keeps its host for as long as a release with a port runs. */
function hasDefaultHost({ port, protocol, worker }: AppRouteRow, instances: TrafficRow[]): boolean {
  return port === null && protocol === 'http' && (worker === 0 || instances.some((row) => row.port !== null));
}

function serverOf(route: AppRouteRow, { id, address, role, port: own }: TrafficRow): RouteServer[] {
  const port = route.port ?? own;
  return port === null ? [] : [{ name: `i${id}`, address, port, state: role }];
}
