import { appReference, type InstanceSettings } from '@davit/api';
import type { RouteBackend, RouteHost, RouteServer, RouteTable } from '../adapters/proxy/proxy.ts';
import { defaultHost, isRoutedByPlatform, registryHost } from '../adapters/proxy/routes.ts';
import { REGISTRY_ADDRESS } from '../adapters/registry/registry.ts';
import { listCertificates } from '../db/tables/certificate.ts';
import { allDomains, type DomainRow } from '../db/tables/domain.ts';
import { type AppRouteRow, allAppRoutes, instancesWithTraffic, type RoutedTrafficRow } from '../db/tables/route.ts';
import type { RoutingDeps } from './deps.ts';
import { isValid, routeCertificates, routeChallenges, routeDomainRules, wildcardOver } from './host-certificates.ts';
import { HTTPS_ONLY, routeRules } from './host-rules.ts';

/** Computes the HAProxy configuration of all apps. The number of SQL queries does not depend on the number of apps. */
export function routeTable(base: Pick<RoutingDeps, 'store' | 'facts' | 'sealer' | 'now' | 'settings'>): RouteTable {
  const { store, facts, sealer } = base;
  const isCertain = certainHosts(base);
  const domainRules = routeDomainRules(base);
  const traffic = Map.groupBy(instancesWithTraffic(store), (row) => row.app_id);
  const domains = Map.groupBy(allDomains(store), (row) => row.app_id);
  const backends: RouteBackend[] = [];
  const hosts: RouteTable['hosts'] = [];
  for (const route of allAppRoutes(store)) {
    const { slot, protocol, app_id } = route;
    const instances = traffic.get(app_id) ?? NONE;
    const before = hosts.length;
    if (hasDefaultHost(route, instances)) {
      const host = defaultHost(route, facts.domain);
      hosts.push({ host, slot, ...(isCertain(host) && { rules: HTTPS_ONLY }) });
    }
    for (const row of domains.get(app_id) ?? NONE) {
      // Domains with the host name of the instance are skipped. They would make the HAProxy configuration invalid.
      if (!uses(row, route) || isRoutedByPlatform(row.host, facts.domain)) continue;
      hosts.push(routeHost(row, slot, routeRules(sealer, row, isCertain(row.host))));
    }
    if (hosts.length === before) continue;
    const app = appReference(route.project, route.environment, route.app);
    backends.push({ slot, app, protocol, servers: serversOf(route, instances) });
  }
  return {
    domain: facts.domain,
    ...trustedProxies(base.settings()),
    ...(domainRules && { domainRules }),
    api: facts.apiAddress,
    registry: { host: registryHost(facts.domain), address: REGISTRY_ADDRESS, port: facts.ports.registry },
    backends,
    hosts,
    certificates: routeCertificates(base),
    challenges: routeChallenges(base),
  };
}

const NONE: readonly never[] = [];

function trustedProxies({ trusted_proxies }: InstanceSettings): Pick<RouteTable, 'trustedProxies'> {
  const { forwarded_for: forwardedFor, proxy_protocol: proxyProtocol } = trusted_proxies;
  return forwardedFor.length + proxyProtocol.length === 0 ? {} : { trustedProxies: { forwardedFor, proxyProtocol } };
}

function routeHost({ host, path }: DomainRow, slot: number, rules: RouteHost['rules']): RouteHost {
  return { host, ...(path !== '' && { path }), slot, ...(rules && { rules }) };
}

/** Returns a function that checks whether a valid certificate covers a host name. */
function certainHosts({ store, now }: Pick<RoutingDeps, 'store' | 'now'>): (host: string) => boolean {
  const at = now();
  const valid = listCertificates(store).filter((certificate) => isValid(certificate, at));
  const names = new Set(valid.flatMap(({ hosts }) => JSON.parse(hosts) as string[]));
  return (host) => names.has(host) || names.has(wildcardOver(host) ?? '');
}

function uses(domain: DomainRow, route: AppRouteRow): boolean {
  return domain.port === route.port && domain.protocol === route.protocol;
}

/**
 * Returns whether an app has its default host name. A worker (an app without a port) keeps this host name while one of
 * its replicas has a port.
 */
function hasDefaultHost({ port, protocol, worker }: AppRouteRow, instances: readonly RoutedTrafficRow[]): boolean {
  return port === null && protocol === 'http' && (worker === 0 || instances.some((row) => row.port !== null));
}

function serversOf(route: AppRouteRow, instances: readonly RoutedTrafficRow[]): RouteServer[] {
  const servers: RouteServer[] = [];
  for (const { id, address, role, port: own } of instances) {
    // By default, the port of the replica is used, because the settings of the app may already contain another port.
    const port = route.port ?? own;
    if (port !== null) servers.push({ name: `i${id}`, address, port, state: role });
  }
  return servers;
}
