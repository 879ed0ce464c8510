/** The object stores of an installation, and those that it was told to use. */
import { DavitError, StoreCreate } from '@davit/api';
import type { Answers } from '../../installs/plan/answers.ts';
import type { StoreValues } from '../../installs/plan/references.ts';
import { bucketsIn } from '../../installs/plan/store-changes.ts';
import { own, type Wanted, type WantedStore } from '../../installs/plan/wanted.ts';
import { managedStoreByName } from '../../store/managed-store.ts';
import { storeByName } from '../../store/object-store.ts';
import { openTaskOf } from '../../store/task.ts';
import { putResource, type ResourceRow, resourcesOf } from '../../store/template-install.ts';
import { TaskFailed } from '../../tasks/kind.ts';
import { bucketsOf, createBucket } from '../bucket.ts';
import type { Core } from '../core.ts';
import { lookUp } from '../lookup.ts';
import { recordStore } from '../managed-store.ts';
import { askStore } from '../store-asking.ts';
import { deleteStore } from '../store-deletion.ts';
import { patchStore } from '../store-patch.ts';
import { admitted, NO_LIMITS, withinMachine } from './apps.ts';
import type { Build } from './build.ts';
import type { Removal } from './place.ts';
import type { DataEnd } from './remove-apps.ts';
import { forgetThing, noteThing } from './resources.ts';
import { isOurs, isThat, thingId } from './things.ts';

/** What others refer to of them, as far as they are there: those of the template, and those that an input names. */
export function storeValues({ store }: Core, wanted: Wanted, answers: Answers): Record<string, StoreValues> {
  const attached = wanted.apps.flatMap(({ attach }) => attach).filter(({ kind }) => kind === 'store');
  const keys = new Set([...wanted.stores, ...attached].map(({ key }) => key));
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const row = storeByName(store, storeNamed(wanted, answers, key));
      return row === undefined ? [] : [[key, { bucket: bucketOf(wanted, key), endpoint: row.endpoint }]];
    }),
  );
}

/** What a store is called that a template refers to by a key: its own, or the answer to an input. */
export function storeNamed({ stores }: Wanted, answers: Answers, key: string): string {
  return stores.find((store) => store.key === key)?.name ?? own(answers, key) ?? '';
}

/** The first that is declared, else the first that somebody attaches. */
function bucketOf({ stores, apps }: Wanted, key: string): string {
  const declared = stores.find((store) => store.key === key)?.buckets[0];
  const attached = apps.flatMap(({ attach }) => attach).find((one) => one.kind === 'store' && one.key === key);
  return declared ?? attached?.bucket ?? '';
}

/** Asks for each that is not there yet, waits until it answers, and makes its buckets. */
export async function makeStores(build: Build, signal: AbortSignal): Promise<void> {
  const { core, wanted } = build;
  for (const store of wanted.stores) askFor(build, store);
  for (const store of wanted.stores) {
    const open = openTaskOf(core.store, 'store', store.name);
    if (open !== undefined) await core.tasks.succeeded(open.id, signal);
    await makeBuckets(build, store, bucketsIn(wanted, store));
  }
}

/** One that is on record is asked for already: both are written together. */
function askFor({ core, ctx, installId, wanted }: Build, { key, name, reference, version, limits }: WantedStore): void {
  const thing = { kind: 'store', key, name, reference } as const;
  if (isOurs(core.store, installId, thing)) return;
  const input = admitted(StoreCreate, {
    name,
    ...(version !== null && { version }),
    ...(limits !== null && { limits: withinMachine(core, limits) }),
  });
  const { project, environment: slug } = wanted;
  const environment = lookUp(core.store, ctx.actor, 'administer', 'environment', { project, environment: slug });
  core.tasks.start((tx) => {
    const asker = { by: ctx.actor.username, via: ctx.actor.via };
    const ask = recordStore(core, tx, environment, input, asker);
    putResource(
      tx,
      { install_id: installId, ...thing, state: 'made', thing_id: thingId(tx, thing) ?? null },
      core.now(),
    );
    return ask;
  });
}

async function makeBuckets({ core, ctx }: Build, { name }: WantedStore, buckets: readonly string[]): Promise<void> {
  const row = storeByName(core.store, name);
  if (row === undefined) throw new TaskFailed(`The object store ${name} could not be made.`);
  if (buckets.length === 0) return;
  const found = await askStore(core, row, (client, signal) => bucketsOf(row, client, signal));
  const there = new Set(found.map((bucket) => bucket.name));
  for (const bucket of buckets) if (!there.has(bucket)) await createBucket(core, ctx, row, bucket);
}

/** Gives stores the limits that a release has for them. */
export async function limitStores(
  { core, ctx }: Build,
  stores: readonly Pick<WantedStore, 'reference' | 'limits'>[],
): Promise<void> {
  for (const { reference, limits } of stores) {
    const row = managedStoreByName(core.store, reference);
    if (row === undefined) continue;
    await patchStore(core, ctx, row, { limits: withinMachine(core, limits ?? NO_LIMITS) }, false);
  }
}

/** Every one of an installation, the newest first. */
export async function removeStores(removal: Removal, end: DataEnd): Promise<void> {
  for (const row of storesOf(removal).reverse()) await remove(removal, row, end);
}

/** One that the installation made. */
export async function removeStore(removal: Removal, reference: string, end: DataEnd): Promise<void> {
  for (const row of storesOf(removal)) if (row.reference === reference) await remove(removal, row, end);
}

async function remove({ core, ctx, installId }: Removal, row: ResourceRow, end: DataEnd): Promise<void> {
  const { name } = row;
  // What somebody has made under its name since is his.
  if (!isThat(core.store, row)) return forgetThing(core, row);
  if (end === 'keep') return noteThing(core, installId, row, 'kept');
  const open = openTaskOf(core.store, 'store', name);
  if (open !== undefined) await core.tasks.cancel(open.id);
  const found = storeByName(core.store, name);
  if (found !== undefined && !isTrashed(found)) await deleteStore(core, ctx, found, name);
  if (end === 'destroy') await destroy(core, ctx, name);
  forgetThing(core, row);
}

/** What a container still uses stays in the trash, from where it goes by itself. */
async function destroy(core: Core, ctx: Removal['ctx'], name: string): Promise<void> {
  const row = storeByName(core.store, name);
  try {
    if (row !== undefined) await deleteStore(core, ctx, row, name);
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    ctx.log.warn({ store: name, error: error.message }, 'an object store of an installation stays in the trash');
  }
}

function isTrashed(row: NonNullable<ReturnType<typeof storeByName>>): boolean {
  return row.kind === 'managed' && row.deleted_at !== null;
}

function storesOf({ core, installId }: Removal): ResourceRow[] {
  const rows = resourcesOf(core.store, installId);
  return rows.filter(({ kind, state }) => kind === 'store' && state === 'made');
}
