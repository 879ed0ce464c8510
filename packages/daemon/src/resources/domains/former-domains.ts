/**
 * Former domains of the instance. Apps cannot use them, because clients may still send credentials to a former domain,
 * and browsers have saved passwords for it.
 */
import { isDefaultHost, projectOfHost, reservedHost } from '../../adapters/proxy/routes.ts';
import type { Reader, Store } from '../../db/store.ts';
import { formerDomains, insertOwnDomain, isOwnDomainKnown } from '../../db/tables/own-domain.ts';

/**
 * Saves the current domain of the instance in the list of used domains. Called at each start, and after each change of
 * the settings that determine the domain.
 */
export function recordOwnDomain(store: Store, domain: string, at: number): void {
  const own = domain.toLowerCase();
  // Use a separate transaction. Otherwise, the audit entry of the API request would also contain this change.
  if (!isOwnDomainKnown(store, own)) store.trail.apart(() => store.tx((tx) => insertOwnDomain(tx, own, at)));
}

/**
 * Checks whether a project may use a host. Returns `null` if it may. If the host is below a former domain of the
 * instance, returns this domain, because the project may not use the host.
 *
 * A project may keep its own hosts below a former domain.
 * @param host normalized host name
 * @param project name of the project whose app needs the host
 * @param domain current domain of the instance
 */
export function formerDomainOf(db: Reader, host: string, project: string, domain: string): string | null {
  return formerDomains(db, domain.toLowerCase()).find((former) => isKeptFor(former, host, project)) ?? null;
}

/**
 * Returns whether a host has the form of a default host, which Davit assigns to an app. Checks the current domain of
 * the instance and its former domains.
 * @param host host in lower case
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
