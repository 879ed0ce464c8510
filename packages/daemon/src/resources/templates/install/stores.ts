/** Object stores of an installation. Some are defined in the template. The user selects others in template inputs. */
import { DavitError, ObjectStoreCreate } from '@davit/api';
import { storeSettings } from '@davit/template/parts';
import { lookUp, seesOwner } from '../../../authorization/lookup.ts';
import { managedStoreByName } from '../../../db/tables/managed-store.ts';
import { type StoreRow, storeByName } from '../../../db/tables/object-store.ts';
import { openTaskOf } from '../../../db/tables/task.ts';
import { putResource, type ResourceRow, resourcesOf } from '../../../db/tables/template-install.ts';
import { bucketsOf, createBucket } from '../../object-stores/bucket.ts';
import { deleteObjectStore } from '../../object-stores/deletion.ts';
import { recordStore } from '../../object-stores/managed-store.ts';
import { patchObjectStore } from '../../object-stores/patch.ts';
import { withStoreClient } from '../../object-stores/request.ts';
import { TaskFailed } from '../../tasks/kind.ts';
import type { TemplatesDeps } from '../deps.ts';
import type { Answers } from '../plan/answers.ts';
import type { StoreValues } from '../plan/references.ts';
import { bucketsIn } from '../plan/store-changes.ts';
import { own, type Wanted, type WantedStore } from '../plan/wanted.ts';
import { admitted, NO_LIMITS, withinMachine } from './apps.ts';
import type { Build, InstallRemoval } from './build.ts';
import { demandRights } from './context.ts';
import { untilCreated } from './created.ts';
import type { DataEnd } from './remove-apps.ts';
import { forgetThing, noteThing } from './resources.ts';
import { isHad, isOurs, isThat, thingId } from './things.ts';

/**
 * Returns the values that replace references to object stores in a template. Object stores that do not exist yet have
 * no values.
 */
export function storeValues(side: StoreSide): Record<string, StoreValues> {
  const { wanted } = side;
  const attached = wanted.apps.flatMap(({ attach }) => attach).filter(({ kind }) => kind === 'store');
  const keys = new Set([...wanted.stores, ...attached].map(({ key }) => key));
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const row = seenStore(side, key);
      return row === undefined ? [] : [[key, { bucket: bucketOf(wanted, key), endpoint: row.endpoint }]];
    }),
  );
}

/** Data that is needed to find the object store with a given key in a template. */
export type StoreSide = Pick<Build, 'core' | 'ctx' | 'installId' | 'wanted' | 'chosen'> & { answers: Answers };

/**
 * Returns the object store with a given key in the template. Returns `undefined` if there is no such object store, or
 * if the user cannot see it.
 */
export function seenStore(side: StoreSide, key: string): StoreRow | undefined {
  const row = storeOf(side, key);
  return row !== undefined && seesOwner(side.ctx.actor, row.project_id) ? row : undefined;
}

/**
 * Returns an object store that the installation created or the user selected in an input. Returns `undefined` if the
 * object store was deleted, even if a new one has its name.
 */
export function storeOf({ core, installId, wanted, chosen, answers }: StoreSide, key: string): StoreRow | undefined {
  const declared = wanted.stores.find((store) => store.key === key);
  if (declared !== undefined) return madeStore(core, installId, declared.name);
  const row = storeByName(core.store, own(answers, key) ?? '');
  const number = own(chosen.stores, key);
  return number === undefined || number === row?.id ? row : undefined;
}

/**
 * Returns an object store that the installation created. Returns `undefined` if the object store was deleted, even if a
 * new one has the same name.
 */
function madeStore(core: TemplatesDeps, installId: number, name: string): StoreRow | undefined {
  return isHad(core.store, installId, { kind: 'object_store', reference: name })
    ? storeByName(core.store, name)
    : undefined;
}

/**
 * Returns the first bucket of an object store in the template. If the template lists no bucket, returns the first
 * bucket that an app attaches.
 */
function bucketOf({ stores, apps }: Wanted, key: string): string {
  const declared = stores.find((store) => store.key === key)?.buckets[0];
  const attached = apps.flatMap(({ attach }) => attach).find((one) => one.kind === 'store' && one.key === key);
  return declared ?? attached?.bucket ?? '';
}

/**
 * Starts the creation of each missing object store. Waits until each object store responds, and creates its buckets.
 */
export async function makeStores(build: Build, signal: AbortSignal): Promise<void> {
  const { core, installId, wanted } = build;
  for (const store of wanted.stores) startCreation(build, store);
  for (const store of wanted.stores) {
    const isMade = () => isUsable(madeStore(core, installId, store.name));
    await untilCreated(build, { kind: 'object_store', reference: store.name, isMade }, signal);
    await makeBuckets(build, store, bucketsIn(wanted, store));
  }
}

/** Returns whether an object store exists and its creation has not failed. */
function isUsable(row: StoreRow | undefined): boolean {
  return row?.kind === 'managed' && row.state !== 'failed';
}

/**
 * Starts the creation of an object store. Does nothing if the object store is already saved as part of the
 * installation. In this case, the same transaction has saved its creation task.
 */
function startCreation({ core, ctx, installId, wanted }: Build, store: WantedStore): void {
  const { key, name, reference, limits } = store;
  const thing = { kind: 'object_store', key, name, reference } as const;
  if (isOurs(core.store, installId, thing)) return;
  const input = admitted(ObjectStoreCreate, {
    name,
    ...storeSettings(store),
    ...(limits !== null && { limits: withinMachine(core, limits) }),
  });
  const { project, environment: slug } = wanted;
  const environment = lookUp(core.store, ctx.actor, 'administer', 'environment', { project, environment: slug });
  core.tasks.start((tx) => {
    const requester = { by: ctx.actor.username, via: ctx.actor.via };
    const taskRequest = recordStore(core, tx, environment, input, requester);
    putResource(
      tx,
      { install_id: installId, ...thing, state: 'made', thing_id: thingId(tx, thing) ?? null },
      core.now(),
    );
    return taskRequest;
  });
}

async function makeBuckets(
  { core, ctx, installId, task }: Build,
  { name }: WantedStore,
  buckets: readonly string[],
): Promise<void> {
  // Check the permissions again, because the creation of the object store may have taken a long time.
  demandRights(task);
  const row = madeStore(core, installId, name);
  if (row === undefined) throw new TaskFailed(`The object store ${name} could not be created.`);
  if (buckets.length === 0) return;
  const found = await withStoreClient(core, row, (client, signal) => bucketsOf(row, client, signal));
  const there = new Set(found.map((bucket) => bucket.name));
  for (const bucket of buckets) if (!there.has(bucket)) await createBucket(core, ctx, row, bucket);
}

export async function limitStores(
  { core, ctx, installId }: Build,
  stores: readonly Pick<WantedStore, 'reference' | 'limits'>[],
): Promise<void> {
  for (const { reference, limits } of stores) {
    const row = managedStoreByName(core.store, reference);
    if (row === undefined || !isHad(core.store, installId, { kind: 'object_store', reference })) continue;
    await patchObjectStore(core, ctx, row, { limits: withinMachine(core, limits ?? NO_LIMITS) }, false);
  }
}

/** Removes every object store that the installation created, newest first. */
export async function removeStores(removal: InstallRemoval, end: DataEnd): Promise<void> {
  for (const row of storesOf(removal).reverse()) await remove(removal, row, end);
}

export async function removeStore(removal: InstallRemoval, reference: string, end: DataEnd): Promise<void> {
  for (const row of storesOf(removal)) if (row.reference === reference) await remove(removal, row, end);
}

async function remove({ core, ctx, installId }: InstallRemoval, row: ResourceRow, end: DataEnd): Promise<void> {
  const { name } = row;
  // Do not remove an object store that a user created later with the same name.
  if (!isThat(core.store, row)) return forgetThing(core, row);
  if (end === 'keep') return noteThing(core, installId, row, 'kept');
  const open = openTaskOf(core.store, 'object_store', name);
  if (open !== undefined) await core.tasks.cancel(open.id);
  const found = storeByName(core.store, name);
  if (found !== undefined && !isTrashed(found)) await deleteObjectStore(core, ctx, found, name);
  if (end === 'destroy') await destroy(core, ctx, name);
  forgetThing(core, row);
}

/**
 * Deletes an object store from the trash permanently. If a container still uses the object store, Davit deletes it
 * later automatically.
 */
async function destroy(core: TemplatesDeps, ctx: InstallRemoval['ctx'], name: string): Promise<void> {
  const row = storeByName(core.store, name);
  try {
    if (row !== undefined) await deleteObjectStore(core, ctx, row, name);
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    ctx.log.warn(
      { object_store: name, error: error.message },
      'an object store that was created from a template could not be deleted',
    );
  }
}

function isTrashed(row: NonNullable<ReturnType<typeof storeByName>>): boolean {
  return row.kind === 'managed' && row.deleted_at !== null;
}

function storesOf({ core, installId }: InstallRemoval): ResourceRow[] {
  const rows = resourcesOf(core.store, installId);
  return rows.filter(({ kind, state }) => kind === 'object_store' && state === 'made');
}
