/**
 * Saves which resources belong to an installation. A resource is saved before or in the transaction that creates it. So
 * a crash cannot lose the information.
 */
import { DavitError, type ResourceKind } from '@davit/api';
import {
  deleteResource,
  putResource,
  type ResourceRow,
  resourcesOf,
  type StoredState,
} from '../../../db/tables/template-install.ts';
import type { TemplatesDeps } from '../deps.ts';
import { isThat, RESOURCE_NOUNS, type Thing, thingId } from './things.ts';

/**
 * Creates a resource and saves it as a resource of the installation. The function is idempotent. It is synchronous, so
 * that no other request can create the resource at the same time.
 * @throws DavitError conflict
 */
export function makeThing(core: TemplatesDeps, installId: number, thing: Thing, make: () => void): void {
  const row = recorded(core, installId, thing);
  const isThere = thingId(core.store, thing) !== undefined;
  if (row?.state === 'made') {
    if (isThat(core.store, row)) return;
    const noun = RESOURCE_NOUNS[thing.kind];
    const message = isThere
      ? `A user deleted the ${noun} ${thing.reference} of the installation and created another ${noun} with the same name.`
      : `A user deleted the ${noun} ${thing.reference} of the installation.`;
    throw new DavitError('conflict', message);
  }
  if (row === undefined && isThere) {
    throw new DavitError('conflict', `${thing.reference} already exists. Choose another name.`);
  }
  put(core, installId, thing, 'planned', null);
  if (!isThere) make();
  noteThing(core, installId, thing, 'made');
}

/**
 * Saves how an installation uses a resource. For example, the installation created an app, or it uses an existing
 * database.
 */
export function noteThing(core: TemplatesDeps, installId: number, thing: Thing, state: StoredState): void {
  put(core, installId, thing, state, thingId(core.store, thing) ?? null);
}

/** Returns the resources of one kind that the installation has created or started to create, newest first. */
export function madeThings({ store }: TemplatesDeps, installId: number, kind: ResourceKind): ResourceRow[] {
  const rows = resourcesOf(store, installId).filter((row) => row.kind === kind);
  return rows.filter(({ state }) => state === 'made' || state === 'planned').reverse();
}

export function forgetThing({ store }: TemplatesDeps, row: ResourceRow): void {
  store.tx((tx) => deleteResource(tx, row.id));
}

function recorded({ store }: TemplatesDeps, installId: number, { kind, reference }: Thing): ResourceRow | undefined {
  return resourcesOf(store, installId).find((row) => row.kind === kind && row.reference === reference);
}

function put(
  { store, now }: TemplatesDeps,
  installId: number,
  { kind, key, name, reference }: Thing,
  state: StoredState,
  thing_id: number | null,
): void {
  store.tx((tx) => putResource(tx, { install_id: installId, kind, key, name, reference, state, thing_id }, now()));
}
