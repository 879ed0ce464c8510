/** The numbers of backends at the proxy: each port of an app that the proxy sends requests to has one. */
import { DavitError, type Domain } from '@davit/api';
import { MOST_BACKENDS } from '../adapters/proxy/proxy.ts';
import type { Tx } from '../db/store.ts';
import { slotFor, slotsOfProject } from '../db/tables/route.ts';

/** Per project, so that one project cannot take all of them. */
export const MOST_OF_PROJECT = MOST_BACKENDS / 10;

/**
 * Returns the number for a port of an app, which the app keeps for life.
 * @param port null: the app's own
 * @throws DavitError conflict if there is no number left, which undoes the transaction
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
    `The proxy serves at most ${most} ports for each ${what}: delete apps that are not used.`,
  );
}
