/**
 * Classifies HAProxy's command responses and startup errors by their text, because HAProxy has no machine-readable
 * error codes.
 */

export type AnswerCode = 'done' | 'store_begun' | 'deleted' | 'server_added';

const ANSWERS: readonly [AnswerCode, RegExp][] = [
  ['done', /Success/],
  ['store_begun', /^New empty/],
  ['deleted', /deleted/],
  ['server_added', /^New server registered\.$/],
];

/**
 * Returns the type of HAProxy's response to a runtime command.
 * @returns `null` for an unknown type; the response is then an error message
 */
export function answerCodeOf(answer: string): AnswerCode | null {
  return ANSWERS.find(([, pattern]) => pattern.test(answer))?.[0] ?? null;
}

/** Reason why HAProxy does not start. */
export type StartProblem =
  | { code: 'too_old'; version: string }
  | { code: 'cannot_bind'; why: string; address: string }
  | { code: 'unknown'; alerts: string[] };

const VERSION = /haproxy version is ((\d+)\.(\d+)\S*)/;
const CANNOT_BIND = /cannot bind socket \((Address already in use|Permission denied)\).*?\[?([^\s[\]]+:\d+)\]?/i;
/**
 * Oldest supported HAProxy version as a number: major × 100 + minor. Since version 2.6, HAProxy can add servers without
 * a reload.
 */
const OLDEST = 206;

/**
 * Finds the reason why HAProxy did not start.
 * @param log last lines of the container's log
 */
export function startProblemOf(log: string): StartProblem {
  const [, version, major, minor] = VERSION.exec(log) ?? [];
  if (version !== undefined && Number(major) * 100 + Number(minor) < OLDEST) return { code: 'too_old', version };
  const [, why, address] = CANNOT_BIND.exec(log) ?? [];
  if (why !== undefined && address !== undefined) return { code: 'cannot_bind', why, address };
  return { code: 'unknown', alerts: log.split('\n').filter((line) => line.startsWith('[ALERT]')) };
}
