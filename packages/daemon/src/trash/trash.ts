/**
 * Restores resources from the trash or removes them permanently. `trash/term.ts` calculates when a resource in the
 * trash expires.
 */
import { DavitError } from '@davit/api';
import { EngineRefused } from '../adapters/engine/errors.ts';
import { sentence } from '../app-spec/sentence.ts';
import type { Tx } from '../db/store.ts';
import type { TrashDeps } from './deps.ts';
import { followClock, isOver } from './term.ts';

export interface Trashed {
  name: string;
  expires_at: number | null;
}

/**
 * Reads a resource in the trash. Adjusts the expiry time of the resource first, because the server's clock may have
 * changed.
 * @throws DavitError conflict if the resource has expired
 */
export function inTerm<T extends Trashed>(core: TrashDeps, tx: Tx, find: () => T): T {
  followClock(core, tx);
  const row = find();
  if (!isOver(core, row)) return row;
  throw new DavitError('conflict', `The trash retention of ${row.name} has ended, so it cannot be restored.`);
}

/**
 * Functions with which Davit permanently removes resources from the trash. Each kind of resource, for example
 * databases, has its own functions.
 */
export interface TrashRemoval<T extends Trashed> {
  /** Reads the resource in the trash from the database, and checks that the user has confirmed the removal. */
  find: (tx: Tx) => T;
  setEnd: (tx: Tx, row: T, expiresAt: number | null) => void;
  /** Deletes the data of the resource. The database row remains, so that Davit can repeat a failed deletion. */
  destroy: (row: T) => Promise<void>;
}

/**
 * Permanently removes a resource from the trash.
 * @throws DavitError conflict if a container uses the data; errors of `find`; EngineUnavailable
 */
export async function removeForGood<T extends Trashed>(core: TrashDeps, removal: TrashRemoval<T>): Promise<void> {
  const row = core.store.tx((tx) => {
    followClock(core, tx);
    const found = removal.find(tx);
    // Mark the resource as expired, so that users cannot restore it while Davit removes it.
    removal.setEnd(tx, found, OVER);
    return found;
  });
  try {
    await removal.destroy(row);
  } catch (cause) {
    // After a failed removal, the previous expiry time is set again, so that users can still restore the resource.
    core.store.tx((tx) => removal.setEnd(tx, row, row.expires_at));
    if (!(cause instanceof EngineRefused)) throw cause;
    const message = `The volume ${row.name} cannot be removed while a container uses it. ${sentence(cause.message)} Remove that container first.`;
    throw new DavitError('conflict', message, { cause });
  }
}

/** Expiry time in the past. A resource with this expiry time has expired. */
const OVER = 0;
