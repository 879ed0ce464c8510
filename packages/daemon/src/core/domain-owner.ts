/** Whose a host is, and where requests for it may be sent on to. */
import { DavitError } from '@davit/api';
import type { OpContext } from '../context.ts';
import { isPlatformHost, registryHost } from '../proxy/routes.ts';
import type { AppTarget } from '../release/app-target.ts';
import {
  type DomainRow,
  domainsOfHost,
  domainsRedirectedTo,
  hostsWithin,
  type OwnedDomainRow,
} from '../store/domain.ts';
import type { Reader } from '../store/store.ts';
import { seenReference } from './lookup.ts';

type Place = Pick<DomainRow, 'host' | 'path' | 'redirect_to'> & { id?: number };

/**
 * A host is of one project, whose apps may have a path of it each.
 * @param place what is claimed; with its number when it is a domain already
 * @throws DavitError conflict, which names an owner to who sees it and to nobody else
 */
export function refuseTaken(db: Reader, { actor }: OpContext, app: AppTarget, { host, path, id }: Place): void {
  const others = domainsOfHost(db, host).filter((row) => row.id !== id);
  const taken = others.find((row) => row.project_id !== app.project.id) ?? others.find((row) => row.path === path);
  if (taken === undefined) return;
  const place = `${host}${taken.project_id === app.project.id ? path : ''}`;
  if (taken.app_id === app.id)
    throw new DavitError('conflict', `The app has ${place} already: change that domain instead.`);
  const owner = seenReference(db, actor, taken.app_id);
  const message =
    owner === undefined
      ? `${place} is taken: choose another host.`
      : `${place} belongs to ${owner}: take it from there first.`;
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

/** What the platform answers by itself, now or once an app of that name is made, is nobody's to take. */
export function refusePlatformHost(host: string, domain: string): void {
  if (!isPlatformHost(host, domain)) return;
  const what =
    host === domain
      ? 'is the instance’s own host'
      : host === registryHost(domain)
        ? 'is the registry’s host'
        : `has the form of the hosts that apps get by themselves, «app.environment.project.${domain}»`;
  throw new DavitError('conflict', `${host} ${what}: choose another one.`);
}

/**
 * Makes sure that nothing which an app was given becomes the platform's.
 * @param domain what the instance's domain is to be
 * @throws DavitError conflict naming the host; for who sees every project
 */
export function refuseTakenDomain(db: Reader, domain: string): void {
  const host = hostsWithin(db, domain).find((one) => isPlatformHost(one, domain));
  if (host === undefined) return;
  throw new DavitError(
    'conflict',
    `domain: ${host} belongs to an app, and under ${domain} the platform would answer it: take it from the app first.`,
  );
}
