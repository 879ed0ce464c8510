/** Texts of GitHub's messages for conditions without a code. */

/** Text about an exceeded limit in an error answer. */
const LIMIT_IN_ANSWER = /\brate limit|\babuse detection/i;
/**
 * Text about an exceeded limit in a GraphQL error, which has status 200. The pattern is narrower, because other GraphQL
 * errors also mention limits.
 */
const LIMIT_IN_QUERY = /\bsecondary rate limit\b/i;

export function tellsLimit(text: string, where: 'answer' | 'query'): boolean {
  return (where === 'answer' ? LIMIT_IN_ANSWER : LIMIT_IN_QUERY).test(text);
}
