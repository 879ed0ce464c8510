/** What is asked of the trash, whatever is in it; `trash/term.ts` has its terms. */
import { DavitError } from '@davit/api';
import { EngineRefused } from '../adapters/engine/errors.ts';
import { sentence } from '../app-spec/sentence.ts';
import type { Tx } from '../db/store.ts';
import type { TrashDeps } from './deps.ts';
import { followClock, isOver } from './term.ts';

/** What is removed for good, by its name. */
export interface Trashed {
  name: string;
  expires_at: number | null;
}

/**
 * One in the trash, to be brought back or adopted.
 * @param find reads it, once ends of terms agree with the clock
 * @throws DavitError conflict when its time is over
 */
export function inTerm<T extends Trashed>(core: TrashDeps, tx: Tx, find: () => T): T {
  followClock(core, tx);
  const row = find();
  if (!isOver(core, row)) return row;
  throw new DavitError('conflict', `The time of ${row.name} in the trash is over: it is being removed.`);
}

/** How one kind of what is in the trash goes for good. */
export interface TrashRemoval<T extends Trashed> {
  /** Finds it, and makes sure that it is meant. */
  find: (tx: Tx) => T;
  setEnd: (tx: Tx, row: T, expiresAt: number | null) => void;
  /** Takes its data away: what is on record can be tried again. */
  destroy: (row: T) => Promise<void>;
}

/** @throws DavitError what `find` throws; conflict while the engine does not let it go; EngineUnavailable */
export async function removeForGood<T extends Trashed>(core: TrashDeps, removal: TrashRemoval<T>): Promise<void> {
  const row = core.store.tx((tx) => {
    followClock(core, tx);
    const found = removal.find(tx);
    // Its time is over from here on, so that nobody brings back what is being removed.
    removal.setEnd(tx, found, OVER);
    return found;
  });
  try {
    await removal.destroy(row);
  } catch (cause) {
    // Its term is as it was.
    core.store.tx((tx) => removal.setEnd(tx, row, row.expires_at));
    if (!(cause instanceof EngineRefused)) throw cause;
    const message = `${row.name} cannot be removed yet, because something still uses it: remove that first. ${sentence(cause.message)}`;
    throw new DavitError('conflict', message, { cause });
  }
}

/** The end of a term that is over at whatever time. */
const OVER = 0;
