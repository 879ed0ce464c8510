/**
 * Classifies HAProxy's output of commands and its log of a failed start. HAProxy has no machine-readable codes for
 * either.
 */

export type AnswerCode = 'done' | 'store_begun' | 'deleted' | 'server_added';

const ANSWERS: readonly [AnswerCode, RegExp][] = [
  ['done', /Success/],
  ['store_begun', /^New empty/],
  ['deleted', /deleted/],
  ['server_added', /^New server registered\.$/],
];

/** Classifies the output of a command. @returns `null` for any other output, which is the reason of a refusal */
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
/** Oldest supported version, as major × 100 + minor. Version 2.6 was the first to add servers without a reload. */
const OLDEST = 206;

/** Finds the reason in a log. @param log last lines of the container's log */
export function startProblemOf(log: string): StartProblem {
  const [, version, major, minor] = VERSION.exec(log) ?? [];
  if (version !== undefined && Number(major) * 100 + Number(minor) < OLDEST) return { code: 'too_old', version };
  const [, why, address] = CANNOT_BIND.exec(log) ?? [];
  if (why !== undefined && address !== undefined) return { code: 'cannot_bind', why, address };
  return { code: 'unknown', alerts: log.split('\n').filter((line) => line.startsWith('[ALERT]')) };
}
