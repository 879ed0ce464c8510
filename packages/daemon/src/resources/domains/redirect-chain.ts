import { DavitError } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { Reader } from '../../db/store.ts';
import { domainsOfHost, domainsRedirectedTo, type OwnedDomainRow } from '../../db/tables/domain.ts';
import type { HostPath } from './taken-hosts.ts';

/**
 * Checks that the redirects of one project do not form a chain. The function ignores the redirects of other projects.
 * Otherwise, a redirect of another project could block this redirect.
 * @throws DavitError conflict
 */
export function refuseChain(db: Reader, app: AppTarget, domain: HostPath): void {
  const { redirect_to: target } = domain;
  if (target === null) return;
  const isNear = (row: OwnedDomainRow) =>
    row.id !== domain.id && row.project_id === app.project.id && overlap(row.path, domain.path);
  const next = domainsOfHost(db, target).find((row) => row.redirect_to !== null && isNear(row));
  if (next?.redirect_to)
    throw new DavitError(
      'conflict',
      `${target} is itself redirected to ${next.redirect_to}. Redirect to a host that is not redirected.`,
    );
  const before = domainsRedirectedTo(db, domain.host).find(isNear);
  if (before)
    throw new DavitError(
      'conflict',
      `${before.host} is redirected to ${domain.host}, so ${domain.host} cannot be a redirect. Redirect ${before.host} to ${target} first.`,
    );
}

/** Returns whether the paths of two domains overlap. If the paths overlap, a request can match both domains. */
function overlap(a: string, b: string): boolean {
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}
