/** Which app has a path of a host, allowed targets of redirects, and hosts that an operator has to change. */
import { DavitError, invalidField } from '@davit/api';
import { isRoutedByPlatform, projectOfHost, reservedHost } from '../../adapters/proxy/routes.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { Actor, OpContext } from '../../auth/context.ts';
import { seenReference } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import {
  type DomainRow,
  domainsOfHost,
  domainsRedirectedTo,
  hostsOfProjects,
  hostsWithin,
  type OwnedDomainRow,
} from '../../db/tables/domain.ts';
import { projectBySlug } from '../../db/tables/project.ts';
import type { DomainsDeps } from './deps.ts';

type Place = Pick<DomainRow, 'host' | 'path' | 'redirect_to'> & { id?: number };

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
export function refuseTaken(db: Reader, { actor }: OpContext, app: AppTarget, { host, path, id }: Place): void {
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
 * A redirect leads to where something is answered, and not to another redirect. What other projects do is theirs: nobody
 * can be kept from a redirect by somebody who sends requests to him.
 * @throws DavitError conflict
 */
export function refuseChain(db: Reader, app: AppTarget, place: Place): void {
  const { redirect_to: target } = place;
  if (target === null) return;
  const isNear = (row: OwnedDomainRow) =>
    row.id !== place.id && row.project_id === app.project.id && overlap(row.path, place.path);
  const next = domainsOfHost(db, target).find((row) => row.redirect_to !== null && isNear(row));
  if (next?.redirect_to)
    throw new DavitError(
      'conflict',
      `${target} is sent on to ${next.redirect_to} itself: name a host that is answered, so that there is one step.`,
    );
  const before = domainsRedirectedTo(db, place.host).find(isNear);
  if (before)
    throw new DavitError(
      'conflict',
      `${before.host} is sent to ${place.host}, which so must be answered: send it to ${target} first.`,
    );
}

/** Whether some request is of both. */
function overlap(a: string, b: string): boolean {
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

/** Maximum number of hosts in a warning. */
const MOST_NAMED = 3;

/** Warnings about domains that apps got before their hosts were reserved. These domains are still served. */
export function domainWarnings({ store, facts: { domain } }: Pick<DomainsDeps, 'store' | 'facts'>): string[] {
  const hosts = store.memo('hosts of projects', () => hostsOfProjects(store));
  const ofServer = hosts.filter(({ host }) => reservedHost(host, domain) === 'machine');
  const ofOthers = hosts.filter(({ host, project }) => {
    const owner = projectOfHost(host, domain);
    return owner !== null && owner !== project && projectBySlug(store, owner) !== undefined;
  });
  return [
    ...warning(
      ofServer,
      (names) =>
        `An app has a host that the dashboard answers to as well (${names}), so browsers may send cookies of the dashboard to the app. Add another domain to the app, then remove this one.`,
    ),
    ...warning(
      ofOthers,
      (names) =>
        `An app has a host that is reserved for another project (${names}), so browsers may share cookies between the apps of both projects. Add another domain to the app, then remove this one.`,
    ),
  ];
}

function warning(hosts: readonly { host: string }[], sentence: (names: string) => string): string[] {
  if (hosts.length === 0) return [];
  const more = hosts.length > MOST_NAMED ? ` and ${hosts.length - MOST_NAMED} more` : '';
  const named = hosts.slice(0, MOST_NAMED).map(({ host }) => host);
  return [sentence(`${named.join(', ')}${more}`)];
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
