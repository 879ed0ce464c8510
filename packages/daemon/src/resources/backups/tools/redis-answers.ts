/**
 * Parses the output of `redis-cli`. After an error, `redis-cli` still exits with code 0 and prints no error code. So
 * errors can be found only in the text of the output.
 */

export type RedisRefusal = 'saving' | 'refused';

/**
 * Pattern for the error message of a Redis server that is already saving its data or rewriting its append-only file.
 */
const SAVING = /already in progress|child process is active|rewriting in progress/i;
const REFUSED = /^(BUSY|ERR|NOPERM|MISCONF|LOADING|READONLY) .*$/m;

/** Returns the first error in the output of `redis-cli`, or `null` if the output contains no error. */
export function refusalIn(answer: string): { code: RedisRefusal; words: string } | null {
  const words = REFUSED.exec(answer)?.[0].trim();
  if (words === undefined) return null;
  return { code: SAVING.test(words) ? 'saving' : 'refused', words };
}

/**
 * Returns whether the sign-in to the Redis server succeeded. The first line of the output contains the result of
 * `AUTH`.
 */
export function isLetIn(answer: string): boolean {
  return answer.startsWith('OK');
}

export function hasBegunSaving(answer: string): boolean {
  return answer.includes('Background saving started');
}
