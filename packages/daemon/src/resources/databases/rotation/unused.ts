import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabasesDeps } from '../deps.ts';
import { isInUse } from './apps.ts';
import type { Retiring } from './retiring.ts';

/** What is longer in coming to its end is not waited for: both passwords stay valid, and somebody asks again. */
const LONGEST_MS = 15 * 60_000;

/**
 * Resolves with true when nothing that was begun with these logins is left, with false when that takes too long.
 * @param everyMs the pause between two looks
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
