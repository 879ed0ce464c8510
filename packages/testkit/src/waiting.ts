import { setTimeout as delay } from 'node:timers/promises';

/**
 * How long a test waits for what should happen soon. A test asks whether it happens, not how fast, and a busy machine can be
 * many times slower than a quiet one; benchmarks check the time.
 */
export const PATIENCE_MS = 120_000;

/** How long to wait before asking again. */
const PAUSE_MS = 20;

/** A signal for a call that must end by itself. */
export function patience(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS);
}

/** Asks until the answer is not `null`, `undefined` or `false`. @throws Error that names what was waited for */
export function until<T>(what: string, ask: () => T | Promise<T>): Promise<Exclude<T, null | undefined | false>>;
/** Asks until the answer is right. @throws Error that names what was waited for, with the last answer */
export function until<T>(what: string, ask: () => T | Promise<T>, isRight: (answer: T) => boolean): Promise<T>;
export async function until(
  what: string,
  ask: () => unknown,
  isRight: (answer: unknown) => boolean = isThere,
): Promise<unknown> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    if (performance.now() > deadline)
      throw new Error(`Not true after ${PATIENCE_MS / 1000} s: ${what}. The last answer: ${JSON.stringify(answer)}`);
    await delay(PAUSE_MS);
  }
}

function isThere(answer: unknown): boolean {
  return answer !== null && answer !== undefined && answer !== false;
}
