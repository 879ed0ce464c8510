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
 * Checks that a write request with a session cookie comes from the dashboard. Browsers also send this cookie with
 * requests that pages of apps make.
 * @throws DavitError cross_site
 */
export function demandSameOrigin(facts: RequestFacts): void {
  if (isSameOrigin(facts) !== true) throw new DavitError('cross_site');
}

/**
 * Rejects a sign-in or similar request from another origin. Otherwise, another site could sign in the user with a
 * different account.
 * @throws DavitError cross_site
 */
export function refuseCrossOrigin(facts: RequestFacts): void {
  if (isSameOrigin(facts) === false) throw new DavitError('cross_site');
}
