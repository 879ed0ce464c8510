/**
 * Retention times of the trash, in which deleted resources can be restored. Only the time in which the instance ran
 * counts, so that users always have the full time to restore a resource. The end of a retention time moves when the
 * clock is set, and by the time in which the instance did not run.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '../db/store.ts';
import { moveTerms, setTrashClock, trashClock } from '../db/tables/trash-clock.ts';
import type { TrashDeps } from './deps.ts';

export type TrashBase = Pick<TrashDeps, 'now' | 'running'>;

const DAY_MS = 86_400_000;

/** Difference in milliseconds that is ignored, because clocks are adjusted continuously and a restart takes time. */
const TOLERATED_MS = 60_000;

/** Retention time in days for data that a failure left behind, long enough for an operator to notice it. */
export const LEFT_DAYS = 365;

/** Id of this process, because run times can be compared only within one process. */
const PROCESS = randomUUID();

/**
 * Adjusts the ends of all retention times to the present clock of the server. Call it in the transaction that reads or
 * writes such an end.
 */
export function followClock({ now, running }: TrashBase, tx: Tx): void {
  const seen = trashClock(tx);
  const here = { at: now(), running: running(), process: PROCESS };
  if (seen === undefined) {
    setTrashClock(tx, here);
    return;
  }
  const ran = seen.process === PROCESS ? here.running - seen.running : 0;
  const set = Math.round(here.at - seen.at - ran);
  const isSet = Math.abs(set) > TOLERATED_MS;
  if (isSet) moveTerms(tx, set);
  if (isSet || ran > TOLERATED_MS || seen.process !== PROCESS) setTrashClock(tx, here);
}

/**
 * Returns a retention time that starts now. A later change of the settings does not change it, because users may have
 * seen its end.
 */
export function termOf(base: TrashBase, tx: Tx, days: number): { deleted_at: number; expires_at: number } {
  followClock(base, tx);
  const at = base.now();
  return { deleted_at: at, expires_at: at + days * DAY_MS };
}

/** Returns whether the retention time has ended, so that the resource may be in the process of being removed. */
export function isOver({ now }: Pick<TrashDeps, 'now'>, { expires_at }: { expires_at: number | null }): boolean {
  return expires_at !== null && expires_at <= now();
}

/**
 * Returns the new end of a retention time after a failed restore. The resource stays for at least one more day, so that
 * the user can react to the failure.
 */
export function termAgain({ now }: Pick<TrashDeps, 'now'>, expiresAt: number): number {
  return Math.max(expiresAt, now() + DAY_MS);
}
