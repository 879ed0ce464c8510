/** Texts in which GitHub says what it has no code for. */

/** Where a limit is told of in an answer that is an error. */
const LIMIT_IN_ANSWER = /\brate limit|\babuse detection/i;
/** The same in an error of a query, which is answered with 200: others of its errors speak of limits too. */
const LIMIT_IN_QUERY = /\bsecondary rate limit\b/i;

export function tellsLimit(text: string, where: 'answer' | 'query'): boolean {
  return (where === 'answer' ? LIMIT_IN_ANSWER : LIMIT_IN_QUERY).test(text);
}
