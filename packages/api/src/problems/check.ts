import type { ProblemKind } from './problem-kind.ts';

/** All reasons why the new replicas of a deployment did not become ready after Docker had started them. */
export const CHECK_PROBLEMS = {
  port_closed: {
    meaning: 'The app does not accept connections on its port.',
    action: 'Set the port on which the app listens, and listen on all addresses (`0.0.0.0`).',
  },
  health_check_failed: {
    meaning: 'The health check of the app failed until the end of its grace period.',
    action: 'Find the reason in the log of the app, or correct the health check.',
  },
  memory_limit_exceeded: {
    meaning: 'A new replica was killed because it used more memory than its limit.',
    action: 'Raise the memory limit of the app, or reduce the memory use of the app.',
  },
} as const satisfies Record<string, ProblemKind>;

export type CheckProblemCode = keyof typeof CHECK_PROBLEMS;

export const CHECK_PROBLEM_CODES = Object.keys(CHECK_PROBLEMS) as [CheckProblemCode, ...CheckProblemCode[]];
