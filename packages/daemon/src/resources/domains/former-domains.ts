/**
 * Former domains of the Davit instance. Apps must not use a former domain, because browsers and other clients may still
 * send credentials to this domain.
 */
import { isDefaultHost, projectOfHost, reservedHost } from '../../adapters/proxy/routes.ts';
import type { Reader, Store } from '../../db/store.ts';
import { formerDomains, insertOwnDomain, isOwnDomainKnown } from '../../db/tables/own-domain.ts';

/**
 * Adds the instance's current domain to the list of used domains. The function is called at each start, and after each
 * change of the domain.
 */
export function recordOwnDomain(store: Store, domain: string, at: number): void {
  const own = domain.toLowerCase();
  // Use a separate transaction. Otherwise, the audit log entry of the API request would also contain this change.
  if (!isOwnDomainKnown(store, own)) store.trail.apart(() => store.tx((tx) => insertOwnDomain(tx, own, at)));
}

/**
 * Returns a former domain of the instance if a project must not use a host because of this domain. Otherwise, returns
 * `null`. A project may use its own hosts below a former domain.
 */
export function formerDomainOf(db: Reader, host: string, project: string, domain: string): string | null {
  return formerDomains(db, domain.toLowerCase()).find((former) => isKeptFor(former, host, project)) ?? null;
}

/**
 * Returns whether a host has the form of a host name that apps get automatically. The host can be below the current or
 * a former domain of the instance.
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
