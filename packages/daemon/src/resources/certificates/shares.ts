/**
 * Counts the certificate requests of each project. Davit uses these counts to share the rate limits of the certificate
 * authority fairly.
 */
import { defaultHost } from '../../adapters/proxy/routes.ts';
import type { OrderCount } from '../../db/tables/certificate-order.ts';
import { hostsOfProjects } from '../../db/tables/domain.ts';
import { allAppRoutes } from '../../db/tables/route.ts';
import { wildcardOver } from '../../routing/host-certificates.ts';
import type { CertificatesDeps } from './deps.ts';

type SharesDeps = Pick<CertificatesDeps, 'store' | 'facts'>;

/**
 * Returns a function that finds the project of a host name. The function returns `null` for host names of the instance.
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
 * Returns a function that counts the recent orders of a host name's project. For a host of the instance, the function
 * returns -1, so that this host comes first.
 */
export function orderShares(base: SharesDeps, orders: readonly OrderCount[]): (name: string) => number {
  const counted = Map.groupBy(orders, ({ project }) => project);
  const projectOf = projectOfNames(base);
  return (name) => {
    const project = projectOf(name);
    return project === null ? -1 : (counted.get(project)?.length ?? 0);
  };
}
