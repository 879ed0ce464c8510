/**
 * Assigns a unique number (slot) to each HAProxy backend. If an app receives requests on several ports, it has one
 * backend for each of these ports.
 */
import { DavitError, type Domain } from '@davit/api';
import { MOST_BACKENDS } from '../adapters/proxy/proxy.ts';
import type { Tx } from '../db/store.ts';
import { slotFor, slotsOfProject } from '../db/tables/route.ts';

/** Maximum number of HAProxy backends for one project. The limit prevents one project from using all backends. */
export const MOST_OF_PROJECT = MOST_BACKENDS / 10;

/**
 * Reserves a HAProxy backend number (slot) for a port of an app, or returns the existing number. The number stays
 * reserved until the app is removed.
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
