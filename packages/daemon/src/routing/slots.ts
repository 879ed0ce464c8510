/**
 * Assigns numbers to HAProxy backends. Each app port that receives requests through HAProxy has a backend, and the
 * number of the backend is its slot.
 */
import { DavitError, type Domain } from '@davit/api';
import { MOST_BACKENDS } from '../adapters/proxy/proxy.ts';
import type { Tx } from '../db/store.ts';
import { slotFor, slotsOfProject } from '../db/tables/route.ts';

/** Maximum number of HAProxy backends for one project, so that one project cannot use all of them. */
export const MOST_OF_PROJECT = MOST_BACKENDS / 10;

/**
 * Reserves an HAProxy backend number for a port of an app, or returns the number that the port already has. The number
 * stays reserved until the app is removed.
 * @param port port, or `null` for the app's default port
 * @throws DavitError conflict if no number is left, which rolls back the SQLite transaction
 */
export function takeSlot(tx: Tx, appId: number, port: number | null, protocol: Domain['protocol']): number {
  const slot = slotFor(tx, appId, port, protocol);
  if (slot > MOST_BACKENDS) throw noneLeft('instance', MOST_BACKENDS);
  if (slotsOfProject(tx, appId) > MOST_OF_PROJECT) throw noneLeft('project', MOST_OF_PROJECT);
  return slot;
}

function noneLeft(what: string, most: number): DavitError {
  return new DavitError(
    'conflict',
    `The proxy can send requests to at most ${most} ports of apps for each ${what}. Delete apps that you do not use.`,
  );
}
