/**
 * Retention of deleted resources in the trash. Time counts only while the daemon runs, so that users always have the
 * full time to restore a resource. After a stop of the daemon or a change of the server's clock, Davit adjusts all
 * expiry times.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '../db/store.ts';
import { moveTerms, setTrashClock, trashClock } from '../db/tables/trash-clock.ts';
import type { TrashDeps } from './deps.ts';

export type TrashBase = Pick<TrashDeps, 'now' | 'running'>;

const DAY_MS = 86_400_000;

/**
 * Davit ignores time differences up to this number of milliseconds. Small differences are normal, because servers
 * adjust their clocks a little, and a restart of the daemon takes some seconds.
 */
const TOLERATED_MS = 60_000;

/**
 * Retention in days for data that remains after a failed operation. The long retention gives operators enough time to
 * notice the data.
 */
export const LEFT_DAYS = 365;

/**
 * Id of this daemon process. Davit saves the running time of a process together with this id. Davit cannot compare
 * running times of different processes, because each process counts from its own start.
 */
const PROCESS = randomUUID();

/**
 * Moves the expiry times of all resources in the trash if the server's clock was changed or the daemon was stopped.
 * Call it in every SQLite transaction that reads or writes such an expiry time.
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
 * Returns the deletion time and the expiry time of a resource that moves to the trash now. Later changes of the
 * retention setting do not change this expiry time, because users may have seen it.
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
