import { DavitError } from '@davit/api';
import { askedAt, type RequestFacts } from './facts.ts';

/** A browser's own word on where a request comes from; undefined when it gives none. */
function isSameOrigin(facts: RequestFacts): boolean | undefined {
  const site = facts.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = facts.headers;
  return origin === undefined ? undefined : origin === askedAt(facts);
}

/**
 * A write that a cookie speaks for must be seen to come from our own pages: apps live on sibling hosts, which browsers
 * count as the same site and send the cookie for.
 * @throws DavitError cross_site
 */
export function demandSameOrigin(facts: RequestFacts): void {
  if (isSameOrigin(facts) !== true) throw new DavitError('cross_site');
}

/** Signing in needs no cookie, but another site must not sign a browser in.
 * @throws DavitError cross_site */
export function refuseCrossOrigin(facts: RequestFacts): void {
  if (isSameOrigin(facts) === false) throw new DavitError('cross_site');
}
