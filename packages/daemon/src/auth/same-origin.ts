import { DavitError } from '@davit/api';
import { askedAt, type RequestFacts } from './facts.ts';

/**
 * Returns whether the browser reports that a request comes from the same origin. Returns `undefined` if the request
 * has no header with an origin.
 */
function isSameOrigin(facts: RequestFacts): boolean | undefined {
  const site = facts.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = facts.headers;
  return origin === undefined ? undefined : origin === askedAt(facts);
}

/**
 * Checks that a write request with a session cookie comes from the instance's own pages. Apps are on sibling host
 * names: browsers treat them as the same site and send the cookie with their requests.
 * @throws DavitError cross_site
 */
export function demandSameOrigin(facts: RequestFacts): void {
  if (isSameOrigin(facts) !== true) throw new DavitError('cross_site');
}

/**
 * Rejects a request that comes from another origin. For requests that need no cookie, such as a sign-in: another site
 * must not be able to sign in the browser.
 * @throws DavitError cross_site
 */
export function refuseCrossOrigin(facts: RequestFacts): void {
  if (isSameOrigin(facts) === false) throw new DavitError('cross_site');
}
