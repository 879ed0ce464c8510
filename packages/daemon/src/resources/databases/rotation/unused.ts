import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabasesDeps } from '../deps.ts';
import { isInUse } from './apps.ts';
import type { Retiring } from './retiring.ts';

/**
 * Maximum time in milliseconds until no app uses the old password any more. After this time, the password rotation
 * stops, and both passwords are still valid.
 */
const LONGEST_MS = 15 * 60_000;

/**
 * Waits until no replica and no one-off command uses the given logins.
 * @param everyMs interval of the checks in milliseconds
 * @returns `false` if the maximum time has passed
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
