import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabasesDeps } from '../deps.ts';
import { isInUse } from './apps.ts';
import type { Retiring } from './retiring.ts';

/**
 * Maximum time to wait until no replica and no one-off command uses the old password, in milliseconds. After this time,
 * the password rotation stops and both passwords stay valid. A user must then start it again.
 */
const LONGEST_MS = 15 * 60_000;

/**
 * Waits until no replica and no run uses these database logins.
 * @param everyMs interval between two checks, in milliseconds
 * @returns `true` if no login is in use, `false` after 15 minutes
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
