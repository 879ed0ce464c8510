import { DavitError, isRedirectChain } from '@davit/api';
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
  const isNear = (row: OwnedDomainRow) => row.id !== domain.id && row.project_id === app.project.id;
  const next = domainsOfHost(db, target).find((row) => isNear(row) && isRedirectChain(domain, row));
  if (next?.redirect_to)
    throw new DavitError(
      'conflict',
      `${target} is itself redirected to ${next.redirect_to}. Redirect to a host that is not redirected.`,
    );
  const before = domainsRedirectedTo(db, domain.host).find((row) => isNear(row) && isRedirectChain(row, domain));
  if (before)
    throw new DavitError(
      'conflict',
      `${before.host} is redirected to ${domain.host}, so ${domain.host} cannot be a redirect. Redirect ${before.host} to ${target} first.`,
    );
}
