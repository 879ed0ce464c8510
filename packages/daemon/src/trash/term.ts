/**
 * Retention of deleted resources in the trash. Time counts only while the daemon runs, so that users have the full time
 * to restore a resource.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '../db/store.ts';
import { moveTerms, setTrashClock, trashClock } from '../db/tables/trash-clock.ts';
import type { TrashDeps } from './deps.ts';

export type TrashBase = Pick<TrashDeps, 'now' | 'running'>;

const DAY_MS = 86_400_000;

/**
 * Tolerated time difference in milliseconds. Clock adjustments and restarts of the daemon normally cause small
 * differences.
 */
const TOLERATED_MS = 60_000;

/**
 * Retention in days for data that remains after a failed operation. The long retention gives operators enough time to
 * notice the data.
 */
export const LEFT_DAYS = 365;

/**
 * Id of this daemon process. Davit saves the id together with the running time of the process, because each process
 * counts its running time from zero.
 */
const PROCESS = randomUUID();

/**
 * Moves all expiry times in the trash after a clock change or a stop of the daemon. Call it in every SQLite transaction
 * that uses an expiry time.
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
 * Returns the deletion and expiry times for the trash. Later changes of the retention setting do not change the expiry
 * time, because users may have seen it.
 */
export function termOf(base: TrashBase, tx: Tx, days: number): { deleted_at: number; expires_at: number } {
  followClock(base, tx);
  const at = base.now();
  return { deleted_at: at, expires_at: at + days * DAY_MS };
}

/**
 * Returns whether the retention of a resource in the trash has ended. Davit may already be removing such a resource.
 */
export function isOver({ now }: Pick<TrashDeps, 'now'>, { expires_at }: { expires_at: number | null }): boolean {
  return expires_at !== null && expires_at <= now();
}

/**
 * Returns a new expiry time for a resource that could not be restored from the trash. It is at least one day from now,
 * so that the user can try again.
 */
export function termAgain({ now }: Pick<TrashDeps, 'now'>, expiresAt: number): number {
  return Math.max(expiresAt, now() + DAY_MS);
}
