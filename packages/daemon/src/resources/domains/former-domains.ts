/**
 * Earlier domains of the instance. Clients still send credentials to an earlier domain, and browsers still have
 * passwords for it.
 */
import { isDefaultHost, projectOfHost, reservedHost } from '../../adapters/proxy/routes.ts';
import type { Reader, Store } from '../../db/store.ts';
import { formerDomains, insertOwnDomain, isOwnDomainKnown } from '../../db/tables/own-domain.ts';

/**
 * Records the current domain. Call this function at each start and after each change of the settings that determine the
 * domain.
 */
export function recordOwnDomain(store: Store, domain: string, at: number): void {
  const own = domain.toLowerCase();
  // This transaction does not belong to the request that changed the domain, because the request's audit entry names
  // the setting.
  if (!isOwnDomainKnown(store, own)) store.trail.apart(() => store.tx((tx) => insertOwnDomain(tx, own, at)));
}

/**
 * Returns the former domain that reserves a host, or `null`. Below a former domain, a project can use the names that
 * belonged to it.
 * @param host in canonical form
 * @param project slug of the project whose app requests the host
 * @param domain current domain of the instance
 */
export function formerDomainOf(db: Reader, host: string, project: string, domain: string): string | null {
  return formerDomains(db, domain.toLowerCase()).find((former) => isKeptFor(former, host, project)) ?? null;
}

/**
 * Returns whether an app may have had a host by default, below the current or a former domain of the instance.
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
