/** Refuses a host, or a name that would include it, which an app has already. */
import { DavitError, invalidField } from '@davit/api';
import { isRoutedByPlatform } from '../../adapters/proxy/routes.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { Actor, OpContext } from '../../auth/context.ts';
import { seenReference } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import { type DomainRow, domainsOfHost, hostsWithin, type OwnedDomainRow } from '../../db/tables/domain.ts';
import { isFormerHost } from '../../db/tables/former-host.ts';
import { wasDefaultHost } from './former-domains.ts';

/** A path of a host that a domain has, or is to have; with the number of a domain that exists. */
export type HostPlace = Pick<DomainRow, 'host' | 'path' | 'redirect_to'> & { id?: number };

/** A path of a host that somebody asks for; `''` is every path. */
interface Wanted {
  host: string;
  path: string;
  /** `null` for a project that does not exist yet. */
  projectId: number | null;
}

/**
 * Returns a domain that keeps a project from a path of a host, or `undefined` if the project can have it. A host is of one
 * project, whose apps may have a path of it each.
 * @param others the domains of the host that are not the ones of who asks
 */
export function takenBy(
  others: readonly OwnedDomainRow[],
  { path, projectId }: Omit<Wanted, 'host'>,
): OwnedDomainRow | undefined {
  return others.find((row) => row.project_id !== projectId) ?? others.find((row) => row.path === path);
}

/** Why a path of a host is refused. Names the owner to who sees it and to nobody else. */
export function takenProblem(
  db: Reader,
  actor: Actor,
  taken: OwnedDomainRow,
  { host, path, projectId }: Wanted,
): string {
  const place = `${host}${taken.project_id === projectId ? path : ''}`;
  const owner = seenReference(db, actor, taken.app_id);
  return owner === undefined
    ? `${place} is taken: choose another host.`
    : `${place} belongs to ${owner}: take it from there first.`;
}

/**
 * @param place what is claimed; with its number when it is a domain already
 * @throws DavitError conflict, which names an owner to who sees it and to nobody else
 */
export function refuseTaken(db: Reader, { actor }: OpContext, app: AppTarget, { host, path, id }: HostPlace): void {
  const wanted = { host, path, projectId: app.project.id };
  const others = domainsOfHost(db, host).filter((row) => row.id !== id);
  const taken = takenBy(others, wanted);
  if (taken === undefined) return;
  const message =
    taken.app_id === app.id
      ? `The app has ${host}${path} already: change that domain instead.`
      : takenProblem(db, actor, taken, wanted);
  throw new DavitError('conflict', message);
}

/**
 * Makes sure that nothing which an app was given becomes the platform's.
 * @param domain what the instance's domain is to be
 * @throws DavitError conflict naming the host; for who sees every project
 */
export function refuseTakenDomain(db: Reader, domain: string): void {
  const host = hostsWithin(db, domain).find((one) => isRoutedByPlatform(one, domain));
  if (host === undefined) return;
  const message = `${host} belongs to an app, and under ${domain} the platform would answer it: take it from the app first.`;
  throw invalidField('domain', 'taken', message, { code: 'conflict' });
}

/**
 * Refuses a domain whose host an app had. Browsers that opened the app keep its service worker and its cached pages for
 * that host. They would act in the dashboard with the rights of each user who signs in.
 * @param domain what the instance's domain is to be
 * @param confirm the same domain, if an admin knows that the app can be trusted
 * @throws DavitError conflict
 */
export function refuseFormerHost(db: Reader, domain: string, confirm: string | undefined): void {
  const host = domain.toLowerCase();
  if (confirm?.toLowerCase() === host) return;
  const hadIt = isFormerHost(db, host);
  if (!hadIt && !wasDefaultHost(db, host)) return;
  const message =
    `cannot become ${host}, because an app ${hadIt ? 'had this host' : 'could have this host by default'}. ` +
    'Browsers can keep a service worker or cached pages of the app for it. ' +
    'They would act in the dashboard with the rights of each user who signs in. ' +
    'Choose another domain. If you trust everybody who could deploy that app, ' +
    `repeat the request with the query parameter confirm=${host}, or the command with --confirm ${host}.`;
  throw invalidField('domain', 'not_allowed', message, { code: 'conflict' });
}

/**
 * Refuses the name of a new project for which hosts of another project would be kept: both would share cookies, and one of
 * the hosts may be the very one that an app of the new project gets automatically.
 * @param slug of a project that does not exist
 * @throws DavitError conflict
 */
export function refuseTakenName(db: Reader, slug: string, domain: string): void {
  const name = `${slug}.${domain.toLowerCase()}`;
  const [host] = hostsWithin(db, name);
  if (host === undefined) return;
  throw new DavitError(
    'conflict',
    `${name} and all names below it belong to a project ${slug}, and an app of another project has ${host}: choose another name, or take the host from that app first.`,
  );
}
