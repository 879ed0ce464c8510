import { DavitError } from '@davit/api';
import { type RequestFacts, requestBaseUrl } from './facts.ts';

/**
 * Returns whether a request comes from the same origin, as reported by the browser. Returns `undefined` if the request
 * has no header about its origin.
 */
function isSameOrigin(facts: RequestFacts): boolean | undefined {
  const site = facts.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = facts.headers;
  return origin === undefined ? undefined : origin === requestBaseUrl(facts);
}

/**
 * Checks that a write request with a session cookie comes from the dashboard. The check is necessary because browsers
 * treat the host names of apps as the same site, so they also send the session cookie with requests from apps.
 * @throws DavitError cross_site
 */
export function demandSameOrigin(facts: RequestFacts): void {
  if (isSameOrigin(facts) !== true) throw new DavitError('cross_site');
}

/**
 * Rejects a request that a browser sends from another origin. Used for requests without a session, such as a sign-in.
 * Otherwise, another site could sign the user in with a different account.
 * @throws DavitError cross_site
 */
export function refuseCrossOrigin(facts: RequestFacts): void {
  if (isSameOrigin(facts) === false) throw new DavitError('cross_site');
}
