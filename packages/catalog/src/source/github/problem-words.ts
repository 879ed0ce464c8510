/** Patterns for error messages of GitHub. GitHub has no error codes for these errors. */

/** Matches GitHub's message about a rate limit in an HTTP error. */
const LIMIT_IN_ANSWER = /\brate limit|\babuse detection/i;
/**
 * Matches GitHub's message about a rate limit in a GraphQL error, which has HTTP status 200. The pattern is narrow,
 * because other GraphQL errors also contain the word "limit".
 */
const LIMIT_IN_QUERY = /\bsecondary rate limit\b/i;

export function isRateLimitMessage(text: string, where: 'answer' | 'query'): boolean {
  return (where === 'answer' ? LIMIT_IN_ANSWER : LIMIT_IN_QUERY).test(text);
}
