/**
 * The trash: what was deleted and can be brought back for a term. A term is time in which the instance ran, so that nothing is
 * gone that nobody had the time to bring back: ends of terms move with a clock that is set, and with time in which nothing ran.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '../db/store.ts';
import { moveTerms, setTrashClock, trashClock } from '../db/tables/trash-clock.ts';
import type { TrashDeps } from './deps.ts';

export type TrashBase = Pick<TrashDeps, 'now' | 'running'>;

const DAY_MS = 86_400_000;

/** What clocks may disagree about: they are adjusted all the time, and a restart takes its time. */
const TOLERATED_MS = 60_000;

/** For what a failure has left: as long as it may take until somebody looks. */
export const LEFT_DAYS = 365;

/** Two clocks of running time are compared within one process alone. */
const PROCESS = randomUUID();

/**
 * Has the ends of terms agree with the clock of the machine as it is now. Called, in the same transaction, by whoever reads
 * or writes one to act on it.
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

/** A term that begins now; one that somebody was told stays as it is when the settings change. */
export function termOf(base: TrashBase, tx: Tx, days: number): { deleted_at: number; expires_at: number } {
  followClock(base, tx);
  const at = base.now();
  return { deleted_at: at, expires_at: at + days * DAY_MS };
}

/** Past its term: it may be being removed right now. */
export function isOver({ now }: Pick<TrashDeps, 'now'>, { expires_at }: { expires_at: number | null }): boolean {
  return expires_at !== null && expires_at <= now();
}

/** The end of the term of what could not be brought back: whoever wanted it is told so while it is still there. */
export function termAgain({ now }: Pick<TrashDeps, 'now'>, expiresAt: number): number {
  return Math.max(expiresAt, now() + DAY_MS);
}
