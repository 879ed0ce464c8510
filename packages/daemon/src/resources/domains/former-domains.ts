/**
 * The domains that the instance had before its present one. Clients still send credentials to a former domain, and browsers
 * still keep passwords for it.
 */
import { isDefaultHost, projectOfHost, reservedHost } from '../../adapters/proxy/routes.ts';
import type { Reader, Store } from '../../db/store.ts';
import { formerDomains, insertOwnDomain, isOwnDomainKnown } from '../../db/tables/own-domain.ts';

/** Records the present domain. Call it at each start and after each change of what decides the domain. */
export function recordOwnDomain(store: Store, domain: string, at: number): void {
  const own = domain.toLowerCase();
  // Not part of the request that changed the domain: its audit entry names the setting.
  if (!isOwnDomainKnown(store, own)) store.trail.apart(() => store.tx((tx) => insertOwnDomain(tx, own, at)));
}

/**
 * Returns the former domain that a host is kept for, or `null`. Below a former domain, a project can have the names that
 * were its own there.
 * @param host in canonical form
 * @param project the slug of the project whose app is to have the host
 * @param domain the present domain
 */
export function formerDomainOf(db: Reader, host: string, project: string, domain: string): string | null {
  return formerDomains(db, domain.toLowerCase()).find((former) => isKeptFor(former, host, project)) ?? null;
}

/**
 * Returns whether an app may have had a host by default: below the present or a former domain of the instance.
 * @param host in lower case
 */
export function wasDefaultHost(db: Reader, host: string): boolean {
  return formerDomains(db, host).some((own) => isDefaultHost(host, own));
}

function isKeptFor(former: string, host: string, project: string): boolean {
  const reserved = reservedHost(host, former);
  if (reserved === 'instance' || reserved === 'registry') return true;
  const owner = projectOfHost(host, former);
  return (owner !== null && owner !== project) || former.endsWith(`.${host}`);
}
