/**
 * Assigns a unique number, the slot, to each HAProxy backend. If HAProxy sends requests to several ports of an app, the
 * app has one backend for each of these ports.
 */
import { DavitError, type Domain } from '@davit/api';
import { MOST_BACKENDS } from '../adapters/proxy/proxy.ts';
import type { Tx } from '../db/store.ts';
import { slotFor, slotsOfProject } from '../db/tables/route.ts';

/** Maximum number of HAProxy backends for one project, so that one project cannot use all of them. */
export const MOST_OF_PROJECT = MOST_BACKENDS / 10;

/**
 * Reserves an HAProxy backend number (slot) for a port of an app. If the port already has a number, returns it. The
 * number stays reserved until the app is removed.
 * @param port port number, or `null` for the default port of the app
 * @throws DavitError conflict if all numbers are in use. The error rolls back the SQLite transaction.
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
