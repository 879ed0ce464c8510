/** Patterns for GitHub's messages about conditions that have no error code. */

/** Message about a rate limit in an HTTP error of GitHub. */
const LIMIT_IN_ANSWER = /\brate limit|\babuse detection/i;
/**
 * Message about a rate limit in a GraphQL error, which has status 200. The pattern is narrow, because GraphQL errors
 * mention other limits too.
 */
const LIMIT_IN_QUERY = /\bsecondary rate limit\b/i;

export function tellsLimit(text: string, where: 'answer' | 'query'): boolean {
  return (where === 'answer' ? LIMIT_IN_ANSWER : LIMIT_IN_QUERY).test(text);
}
