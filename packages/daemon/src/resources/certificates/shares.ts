/**
 * Counts the recent certificate orders of each project. With these numbers, Davit shares the rate limits of the
 * certificate authority fairly between projects.
 */
import { defaultHost } from '../../adapters/proxy/routes.ts';
import type { OrderCount } from '../../db/tables/certificate-order.ts';
import { hostsOfProjects } from '../../db/tables/domain.ts';
import { allAppRoutes } from '../../db/tables/route.ts';
import { wildcardOver } from '../../routing/host-certificates.ts';
import type { CertificatesDeps } from './deps.ts';

type SharesDeps = Pick<CertificatesDeps, 'store' | 'facts'>;

/**
 * Returns a function that returns the project of a host name. The function returns `null` for host names of the
 * instance.
 */
export function projectOfNames({ store, facts }: SharesDeps): (name: string) => string | null {
  const projects = new Map(hostsOfProjects(store).map(({ host, project }) => [host, project]));
  for (const route of allAppRoutes(store)) {
    const host = defaultHost(route, facts.domain);
    projects.set(host, route.project);
    projects.set(wildcardOver(host) ?? host, route.project);
  }
  return (name) => projects.get(name) ?? null;
}

/**
 * Returns a function that takes a host name and returns the number of recent certificate orders of its project. For
 * host names of the instance, the function returns -1, so that these host names come first.
 */
export function orderShares(base: SharesDeps, orders: readonly OrderCount[]): (name: string) => number {
  const counted = Map.groupBy(orders, ({ project }) => project);
  const projectOf = projectOfNames(base);
  return (name) => {
    const project = projectOf(name);
    return project === null ? -1 : (counted.get(project)?.length ?? 0);
  };
}
