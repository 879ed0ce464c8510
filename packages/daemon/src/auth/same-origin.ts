import { DavitError } from '@davit/api';
import { askedAt, type RequestFacts } from './facts.ts';

/**
 * Returns whether a request comes from the same origin according to the browser, or `undefined` if the browser does not
 * state an origin.
 */
function isSameOrigin(facts: RequestFacts): boolean | undefined {
  const site = facts.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = facts.headers;
  return origin === undefined ? undefined : origin === askedAt(facts);
}

/**
 * Checks that a write with a cookie comes from the instance's own pages. Apps are on sibling hosts, which browsers
 * treat as the same site and to which they send the cookie.
 * @throws DavitError cross_site
 */
export function demandSameOrigin(facts: RequestFacts): void {
  if (isSameOrigin(facts) !== true) throw new DavitError('cross_site');
}

/**
 * Refuses a request from another origin. A sign-in needs no cookie, but another site must not sign in a browser.
 * @throws DavitError cross_site
 */
export function refuseCrossOrigin(facts: RequestFacts): void {
  if (isSameOrigin(facts) === false) throw new DavitError('cross_site');
}
