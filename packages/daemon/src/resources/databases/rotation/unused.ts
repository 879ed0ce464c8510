import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabasesDeps } from '../deps.ts';
import { isInUse } from './apps.ts';
import type { Retiring } from './retiring.ts';

/**
 * Maximum wait in milliseconds until nothing uses the old password. After this time, the rotation stops and both
 * passwords stay valid.
 */
const LONGEST_MS = 15 * 60_000;

/**
 * Waits until no replica and no run uses these logins.
 * @param everyMs interval of the checks in milliseconds
 * @returns `false` after the maximum wait
 */
export async function untilUnused(
  { store, nudgeRetirement }: Pick<DatabasesDeps, 'store' | 'nudgeRetirement'>,
  logins: readonly Retiring[],
  everyMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + LONGEST_MS;
  nudgeRetirement();
  while (logins.some((login) => isInUse(store, login))) {
    if (performance.now() > deadline) return false;
    await sleep(everyMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  return true;
}
