/**
 * Retention of deleted resources in the trash. Only the time in which the daemon ran counts, so that users always have
 * the full time to restore a resource. When the clock is set or the daemon was stopped, the end of each retention
 * moves by that difference.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '../db/store.ts';
import { moveTerms, setTrashClock, trashClock } from '../db/tables/trash-clock.ts';
import type { TrashDeps } from './deps.ts';

export type TrashBase = Pick<TrashDeps, 'now' | 'running'>;

const DAY_MS = 86_400_000;

/**
 * Clock differences up to this number of milliseconds are ignored. Clocks are adjusted continuously, and a restart of
 * the daemon takes time.
 */
const TOLERATED_MS = 60_000;

/** Retention in days for data that a failed operation left behind. An operator has enough time to notice the data. */
export const LEFT_DAYS = 365;

/** Id of this daemon process. Run times of two different processes cannot be compared. */
const PROCESS = randomUUID();

/**
 * Moves the ends of all retention periods if the server's clock was set or the daemon was stopped. Must run in the
 * transaction that reads or writes the end of a retention period.
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
 * Returns a retention period that starts now. A later change of the retention setting does not affect it, because
 * users may have seen its end.
 */
export function termOf(base: TrashBase, tx: Tx, days: number): { deleted_at: number; expires_at: number } {
  followClock(base, tx);
  const at = base.now();
  return { deleted_at: at, expires_at: at + days * DAY_MS };
}

/** Returns whether the retention of a resource has ended. The resource may then already be in removal. */
export function isOver({ now }: Pick<TrashDeps, 'now'>, { expires_at }: { expires_at: number | null }): boolean {
  return expires_at !== null && expires_at <= now();
}

/**
 * Returns the end of the retention after a restore from the trash failed. The resource stays for at least one more
 * day, so that the user can try again.
 */
export function termAgain({ now }: Pick<TrashDeps, 'now'>, expiresAt: number): number {
  return Math.max(expiresAt, now() + DAY_MS);
}
