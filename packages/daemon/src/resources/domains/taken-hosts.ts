/** Checks whether an app already uses a host name. */
import { invalidField, takenField } from '@davit/api';
import { isRoutedByPlatform } from '../../adapters/proxy/routes.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { Actor, OpContext } from '../../auth/context.ts';
import { seenReference } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import {
  type DomainRow,
  domainsOfHost,
  hostsOfProjects,
  hostsWithin,
  type OwnedDomainRow,
} from '../../db/tables/domain.ts';
import { isFormerHost } from '../../db/tables/former-host.ts';
import { wasDefaultHost } from './former-domains.ts';

/** Host name and path of a domain. `id` is absent for a new domain. */
export type HostPath = Pick<DomainRow, 'host' | 'path' | 'redirect_to'> & { id?: number };

/** Host name and path that a user wants to use for an app. An empty path matches all paths. */
interface Wanted {
  host: string;
  path: string;
  /** Id of the project whose app wants to use the host, or `null` if the project does not exist yet. */
  projectId: number | null;
}

/**
 * Returns the domain that conflicts with a new host and path. Two domains with the same host conflict if they belong to
 * different projects or have the same path.
 * @param others other domains with this host
 */
export function takenBy(
  others: readonly OwnedDomainRow[],
  { path, projectId }: Omit<Wanted, 'host'>,
): OwnedDomainRow | undefined {
  return others.find((row) => row.project_id !== projectId) ?? others.find((row) => row.path === path);
}

/**
 * Returns an error message for a host and path that another app already uses. The message names the other app only if
 * the user can see that app.
 */
export function takenProblem(
  db: Reader,
  actor: Actor,
  taken: OwnedDomainRow,
  { host, path, projectId }: Wanted,
): string {
  const hostAndPath = `${host}${taken.project_id === projectId ? path : ''}`;
  const owner = seenReference(db, actor, taken.app_id);
  return owner === undefined
    ? `${hostAndPath} is already in use. Choose another host.`
    : `${hostAndPath} belongs to ${owner}. Remove the domain from that app first.`;
}

/**
 * Checks that no other domain has the same host and path. The error message names the app with this domain only if the
 * user can see that app.
 * @throws DavitError conflict
 */
export function refuseTaken(db: Reader, { actor }: OpContext, app: AppTarget, { host, path, id }: HostPath): void {
  const wanted = { host, path, projectId: app.project.id };
  const others = domainsOfHost(db, host).filter((row) => row.id !== id);
  const taken = takenBy(others, wanted);
  if (taken === undefined) return;
  const message =
    taken.app_id === app.id
      ? `The app already has the domain ${host}${path}. Change that domain instead.`
      : takenProblem(db, actor, taken, wanted);
  /*
   * The host of an existing domain cannot change. So if an existing domain conflicts with another domain, report an
   * error for its path.
   */
  throw takenField(id === undefined ? 'host' : 'path', message);
}

/**
 * Checks that no app uses a host that Davit needs for the new domain of the instance. The error message names the host,
 * so only users with access to all projects may call this function.
 * @throws DavitError conflict
 */
export function refuseTakenDomain(db: Reader, domain: string): void {
  const host = hostsWithin(db, domain).find((one) => isRoutedByPlatform(one, domain));
  if (host === undefined) return;
  const message = `An app uses the host ${host}, which Davit itself would use with the domain ${domain}. Remove the host from the app first.`;
  throw invalidField('domain', 'taken', message, { code: 'conflict' });
}

/**
 * Checks that no app can attack users of the dashboard at a new domain of the instance. An app that used the domain or
 * its parent domain could have stored pages, service workers or cookies in browsers.
 * @throws DavitError conflict
 */
export function refuseUntrustedDomain(db: Reader, domain: string, confirm: string | undefined): void {
  const host = domain.toLowerCase();
  /*
   * An admin can repeat the new domain in the parameter `confirm`. The admin then confirms that earlier apps at this
   * domain can be trusted.
   */
  if (confirm?.toLowerCase() === host) return;
  const reason = reasonAgainst(db, host);
  if (reason === null) return;
  const message =
    `The domain of the instance cannot be ${host}. ${reason} Choose another domain. If you trust everyone who could deploy that app, ` +
    `repeat the request with the query parameter confirm=${host}, or the command with --confirm ${host}.`;
  throw invalidField('domain', 'not_allowed', message, { code: 'conflict' });
}

function reasonAgainst(db: Reader, host: string): string | null {
  const hadIt = isFormerHost(db, host);
  if (hadIt || wasDefaultHost(db, host))
    return (
      (hadIt
        ? 'An app used this host before, so browsers may still store pages and service workers of this app. '
        : 'An app may have used this host before, so browsers may still store pages and service workers of this app. ') +
      'The dashboard is not safe at this host: code of the earlier app in a browser could send requests with the permissions of the signed-in user.'
    );
  const parent = hostsOfProjects(db).find((one) => host.endsWith(`.${one.host}`));
  return parent === undefined
    ? null
    : `An app uses the parent host ${parent.host}. The app could set cookies for the dashboard and for all apps.`;
}

/**
 * Checks that no other project uses a host below `<slug>.<domain>` of a new project. Otherwise, browsers would share
 * cookies between two projects.
 * @throws DavitError conflict
 */
export function refuseTakenName(db: Reader, slug: string, domain: string): void {
  const name = `${slug}.${domain.toLowerCase()}`;
  const [host] = hostsWithin(db, name);
  if (host === undefined) return;
  throw takenField(
    'slug',
    `All hosts below ${name} would belong to the project ${slug}, but an app of another project uses ${host}. Choose another name, or remove the host from that app first.`,
  );
}
