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
 * Returns a function that computes the sort key of a host name for certificate requests. The key is the number of
 * recent certificate requests of the host name's project, or -1 for a host name of the instance. Davit first requests
 * the certificates for host names with a low key.
 */
export function orderShares(base: SharesDeps, orders: readonly OrderCount[]): (name: string) => number {
  const counted = Map.groupBy(orders, ({ project }) => project);
  const projectOf = projectOfNames(base);
  return (name) => {
    const project = projectOf(name);
    return project === null ? -1 : (counted.get(project)?.length ?? 0);
  };
}
