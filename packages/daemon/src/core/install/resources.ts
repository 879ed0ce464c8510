/** What an installation makes, one thing after another, so that whatever happens in between nothing is made that nobody knows of. */
import { DavitError, type ResourceKind } from '@davit/api';
import {
  deleteResource,
  putResource,
  type ResourceRow,
  resourcesOf,
  type StoredState,
} from '../../store/template-install.ts';
import type { Core } from '../core.ts';

export interface Thing {
  kind: ResourceKind;
  key: string | null;
  name: string;
  reference: string;
}

/** How a thing is made. All of it happens at once: nobody else does anything in between. */
export interface Making {
  exists: () => boolean;
  make: () => void;
}

/**
 * Makes a thing and puts it on record as the installation's; again after a crash at any point. What was there before it is
 * never taken for its own.
 * @throws DavitError conflict for what somebody else has made in the meantime
 */
export function makeThing(core: Core, installId: number, thing: Thing, { exists, make }: Making): void {
  const row = recorded(core, installId, thing);
  if (row?.state === 'made') {
    if (exists()) return;
    throw new DavitError('conflict', `${thing.reference} was made, and somebody has removed it since.`);
  }
  if (row === undefined && exists()) {
    throw new DavitError('conflict', `There is something called ${thing.reference} by now: choose another name.`);
  }
  put(core, installId, thing, 'planned');
  if (!exists()) make();
  put(core, installId, thing, 'made');
}

/** Puts on record that something is used, adopted or kept. */
export function noteThing(core: Core, installId: number, thing: Thing, state: StoredState): void {
  put(core, installId, thing, state);
}

/** Those of a kind that the installation has made, or begun to make; the newest first. */
export function madeThings({ store }: Core, installId: number, kind: ResourceKind): ResourceRow[] {
  const rows = resourcesOf(store, installId).filter((row) => row.kind === kind);
  return rows.filter(({ state }) => state === 'made' || state === 'planned').reverse();
}

export function forgetThing({ store }: Core, row: ResourceRow): void {
  store.tx((tx) => deleteResource(tx, row.id));
}

function recorded({ store }: Core, installId: number, { kind, reference }: Thing): ResourceRow | undefined {
  return resourcesOf(store, installId).find((row) => row.kind === kind && row.reference === reference);
}

function put({ store, now }: Core, installId: number, thing: Thing, state: StoredState): void {
  const { kind, key, name, reference } = thing;
  store.tx((tx) => putResource(tx, { install_id: installId, kind, key, name, reference, state }, now()));
}
