/** How many of the orders each name's project has used: an authority allows only so many for the whole instance. */
import { defaultHost } from '../../adapters/proxy/routes.ts';
import type { OrderCount } from '../../db/tables/certificate-order.ts';
import { domainHosts } from '../../db/tables/domain.ts';
import { allAppRoutes } from '../../db/tables/route.ts';
import { wildcardOver } from '../../routing/host-certificates.ts';
import type { CertificatesDeps } from './deps.ts';

type World = Pick<CertificatesDeps, 'store' | 'facts'>;

/** Finds the slug of the project that a name belongs to; null for the instance's own names. */
export function projectOfNames({ store, facts }: World): (name: string) => string | null {
  const projects = new Map(domainHosts(store).map(({ host, project }) => [host, project]));
  for (const route of allAppRoutes(store)) {
    const host = defaultHost(route, facts.domain);
    projects.set(host, route.project);
    projects.set(wildcardOver(host) ?? host, route.project);
  }
  return (name) => projects.get(name) ?? null;
}

/** Counts the orders of a name's project, those for names that it has removed included. The instance's own names come first, with -1. */
export function orderShares(world: World, orders: readonly OrderCount[]): (name: string) => number {
  const counted = Map.groupBy(orders, ({ project }) => project);
  const projectOf = projectOfNames(world);
  return (name) => {
    const project = projectOf(name);
    return project === null ? -1 : (counted.get(project)?.length ?? 0);
  };
}
