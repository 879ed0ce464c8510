import { setTimeout as delay } from 'node:timers/promises';

/**
 * Maximum time in milliseconds that tests wait for an event. The time is long, because a busy machine is slow. Tests
 * must not check durations.
 */
export const PATIENCE_MS = 120_000;

/** Pause in milliseconds between two checks of a condition. */
const PAUSE_MS = 20;

/** Returns a signal that aborts a call after `PATIENCE_MS`. Use this signal for a call that could never end. */
export function patience(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS);
}

/**
 * Repeats a check until its result is not `null`, `undefined` or `false`.
 * @param what description of the condition, for the error message
 * @throws Error after `PATIENCE_MS`
 */
export function until<T>(what: string, probe: () => T | Promise<T>): Promise<Exclude<T, null | undefined | false>>;
/**
 * Repeats a check until `isRight` accepts the result of the check.
 * @param what description of the condition, for the error message
 * @throws Error with the last result, after `PATIENCE_MS`
 */
export function until<T>(what: string, probe: () => T | Promise<T>, isRight: (answer: T) => boolean): Promise<T>;
export async function until(
  what: string,
  probe: () => unknown,
  isRight: (answer: unknown) => boolean = isThere,
): Promise<unknown> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await probe();
    if (isRight(answer)) return answer;
    if (performance.now() > deadline)
      throw new Error(`Not true after ${PATIENCE_MS / 1000} s: ${what}. The last answer: ${JSON.stringify(answer)}`);
    await delay(PAUSE_MS);
  }
}

function isThere(answer: unknown): boolean {
  return answer !== null && answer !== undefined && answer !== false;
}
