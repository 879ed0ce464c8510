/** What HAProxy answers to commands, and what it logs when it cannot start: it has no codes for either. */

export type AnswerCode = 'done' | 'store_begun' | 'deleted' | 'server_added';

const ANSWERS: readonly [AnswerCode, RegExp][] = [
  ['done', /Success/],
  ['store_begun', /^New empty/],
  ['deleted', /deleted/],
  ['server_added', /^New server registered\.$/],
];

/** @returns `null` for an answer that says something else: why a command was refused */
export function answerCodeOf(answer: string): AnswerCode | null {
  return ANSWERS.find(([, pattern]) => pattern.test(answer))?.[0] ?? null;
}

/** Why it does not start. */
export type StartProblem =
  | { code: 'too_old'; version: string }
  | { code: 'cannot_bind'; why: string; address: string }
  | { code: 'unknown'; alerts: string[] };

const VERSION = /haproxy version is ((\d+)\.(\d+)\S*)/;
const CANNOT_BIND = /cannot bind socket \((Address already in use|Permission denied)\).*?\[?([^\s[\]]+:\d+)\]?/i;
/** Version 2.6 added servers without a reload. */
const OLDEST = 206;

/** @param log the last lines of its container */
export function startProblemOf(log: string): StartProblem {
  const [, version, major, minor] = VERSION.exec(log) ?? [];
  if (version !== undefined && Number(major) * 100 + Number(minor) < OLDEST) return { code: 'too_old', version };
  const [, why, address] = CANNOT_BIND.exec(log) ?? [];
  if (why !== undefined && address !== undefined) return { code: 'cannot_bind', why, address };
  return { code: 'unknown', alerts: log.split('\n').filter((line) => line.startsWith('[ALERT]')) };
}
