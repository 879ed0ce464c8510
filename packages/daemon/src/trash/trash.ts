/** Operations on the trash for all kinds of resources. `trash/term.ts` contains the retention times. */
import { DavitError } from '@davit/api';
import { EngineRefused } from '../adapters/engine/errors.ts';
import type { Tx } from '../db/store.ts';
import type { TrashDeps } from './deps.ts';
import { followClock, isOver } from './term.ts';

/** A resource that is removed permanently by its name. */
export interface Trashed {
  name: string;
  expires_at: number | null;
}

/**
 * Returns a resource in the trash, in order to restore or attach it.
 * @param find reads the resource, after the retention times were adjusted to the clock
 * @throws DavitError conflict if its retention time has ended
 */
export function inTerm<T extends Trashed>(core: TrashDeps, tx: Tx, find: () => T): T {
  followClock(core, tx);
  const row = find();
  if (!isOver(core, row)) return row;
  throw new DavitError('conflict', `The retention of ${row.name} in the trash has ended, so it cannot be restored.`);
}

/** Functions that permanently remove one kind of resource from the trash. */
export interface TrashRemoval<T extends Trashed> {
  /** Finds the resource, and checks the confirmation of the user. */
  find: (tx: Tx) => T;
  setEnd: (tx: Tx, row: T, expiresAt: number | null) => void;
  /** Deletes the data. The record stays, so a failed deletion can be tried again. */
  destroy: (row: T) => Promise<void>;
}

/**
 * Permanently removes a resource from the trash.
 * @throws DavitError as `find`, or conflict while the engine refuses to remove the data
 * @throws EngineUnavailable if the engine is unavailable
 */
export async function removeForGood<T extends Trashed>(core: TrashDeps, removal: TrashRemoval<T>): Promise<void> {
  const row = core.store.tx((tx) => {
    followClock(core, tx);
    const found = removal.find(tx);
    // The retention time ends here, so that no user can restore a resource that is being removed.
    removal.setEnd(tx, found, OVER);
    return found;
  });
  try {
    await removal.destroy(row);
  } catch (cause) {
    // The removal failed, so the retention time is restored.
    core.store.tx((tx) => removal.setEnd(tx, row, row.expires_at));
    if (!(cause instanceof EngineRefused)) throw cause;
    const message = `${row.name} cannot be removed while something uses it (${cause.message}). Remove the container that uses it first.`;
    throw new DavitError('conflict', message, { cause });
  }
}

/** End of a retention time that has ended at any present time. */
const OVER = 0;
