/**
 * Retention of deleted resources in the trash. The retention time passes only while the daemon runs. Users therefore
 * always have the full time to restore a resource.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '../db/store.ts';
import { moveTerms, setTrashClock, trashClock } from '../db/tables/trash-clock.ts';
import type { TrashDeps } from './deps.ts';

export type TrashBase = Pick<TrashDeps, 'now' | 'running'>;

const DAY_MS = 86_400_000;

/**
 * Tolerated difference between clocks in milliseconds. Clock adjustments and restarts of the daemon normally cause
 * small differences.
 */
const TOLERATED_MS = 60_000;

/**
 * Number of days for which Davit keeps data of a failed operation in the trash. The period is long, so that operators
 * have enough time to notice the data.
 */
export const LEFT_DAYS = 365;

/**
 * Id of this daemon process. It is stored with the running time of the process, because the running time of each
 * process starts at zero.
 */
const PROCESS = randomUUID();

/**
 * Changes all expiry times in the trash after a clock change or a stop of the daemon. Call this function in every
 * SQLite transaction that uses an expiry time.
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
 * Returns the deletion time and the expiry time of a resource for the trash. If the retention setting changes later,
 * the expiry time stays the same, because users may have seen it.
 */
export function termOf(base: TrashBase, tx: Tx, days: number): { deleted_at: number; expires_at: number } {
  followClock(base, tx);
  const at = base.now();
  return { deleted_at: at, expires_at: at + days * DAY_MS };
}

/**
 * Returns whether the retention time of a resource in the trash has ended. Davit may already be removing such a
 * resource.
 */
export function isOver({ now }: Pick<TrashDeps, 'now'>, { expires_at }: { expires_at: number | null }): boolean {
  return expires_at !== null && expires_at <= now();
}

/**
 * Returns a new expiry time for a resource that could not be restored from the trash. The new time is at least one day
 * from now, so that the user can try again.
 */
export function termAgain({ now }: Pick<TrashDeps, 'now'>, expiresAt: number): number {
  return Math.max(expiresAt, now() + DAY_MS);
}
