import { DavitError, type ObjectStore, type StorePatch } from '@davit/api';
import type { OpContext } from '../context.ts';
import { providerOf } from '../objects/providers.ts';
import { storeKeyPlace } from '../release/store-access.ts';
import { residentLimits } from '../residents/container.ts';
import { managedStoreById, setManagedStore } from '../store/managed-store.ts';
import {
  changeStore,
  type LinkedStoreRow,
  type ManagedStoreRow,
  noteStoreChecked,
  type StoreRow,
  storeById,
} from '../store/object-store.ts';
import type { Core } from './core.ts';
import { giveLimits } from './give-limits.ts';
import { checkPlace, readStore } from './object-store.ts';
import { demandCores } from './save-settings.ts';
import { accessOf } from './store-asking.ts';
import { endpoint } from './store-place.ts';

/** What is somebody else's to say. */
const OF_LINKED = [
  'endpoint',
  'region',
  'path_style',
  'public_endpoint',
  'bucket',
  'access_key',
  'secret_key',
] as const;

/**
 * Changes where a linked store is or its keys, once it has taken them; or what is said of any.
 * @throws DavitError invalid_input; conflict with what the store refuses
 */
export async function patchStore(
  core: Core,
  ctx: OpContext,
  row: StoreRow,
  patch: StorePatch,
  check: boolean,
): Promise<ObjectStore> {
  if (row.kind === 'managed') return patchManaged(core, ctx, row, patch);
  if (patch.limits !== undefined) throw new DavitError('invalid_input', 'limits: are of managed stores alone.');
  const after = changedLinked(row, patch);
  const checkedAt = check ? await checkAs(core, after, patch.secret_key ?? accessOf(core, row).secretKey) : null;
  const isChanged = Object.keys(patch).length > 0;
  core.store.tx((tx) => {
    const now = storeById(tx, row.id);
    if (now?.kind !== 'linked') throw new DavitError('not_found', 'There is no such store any more.');
    core.store.trail.about({ target: row.name, ...(row.project_id !== null && { projectId: row.project_id }) });
    if (!isChanged) {
      if (checkedAt !== null) noteStoreChecked(tx, row.id, checkedAt);
      return;
    }
    const sealed = patch.secret_key === undefined ? now.secret_key : seal(core, row, patch.secret_key);
    const merged = changedLinked(now, patch);
    const description = patch.description ?? now.description;
    const places = touchesPlace(patch);
    const checked_at = checkedAt ?? (places ? null : now.checked_at);
    changeStore(tx, { ...merged, description, secret_key: sealed, checked_at, updated_at: core.now() });
  });
  return readStore(core, ctx, storeById(core.store, row.id) ?? row);
}

function seal({ sealer }: Core, row: StoreRow, secretKey: string): string {
  return sealer.seal(secretKey, storeKeyPlace(row.id));
}

function checkAs(core: Core, row: StoreRow, secretKey: string): Promise<number> {
  const place = { endpoint: row.endpoint, region: row.region, pathStyle: row.path_style === 1 };
  return checkPlace(core, { ...place, accessKey: row.access_key, secretKey }, row.bucket);
}

function touchesPlace(patch: StorePatch): boolean {
  return OF_LINKED.some((field) => patch[field] !== undefined);
}

/** Limits are given to what runs at once. */
async function patchManaged(
  core: Core,
  ctx: OpContext,
  { id }: ManagedStoreRow,
  patch: StorePatch,
): Promise<ObjectStore> {
  const found = OF_LINKED.find((field) => patch[field] !== undefined);
  if (found !== undefined)
    throw new DavitError('invalid_input', `${found}: is this instance’s to say of a store it runs.`);
  const { description, limits = {} } = patch;
  const row = core.store.tx((tx) => {
    const now = managedStoreById(tx, id);
    if (now === null) throw new DavitError('not_found', 'There is no such store any more.');
    const { cpu = now.cpu, memory_bytes = now.memory_bytes } = limits;
    demandCores(core, { limits: { cpu } });
    core.store.trail.about({ target: now.name, projectId: now.project_id });
    const change = { cpu, memory_bytes, ...(description !== undefined && { description }) };
    setManagedStore(tx, id, change, { change: 'changed', at: core.now() });
    return managedStoreById(tx, id) ?? now;
  });
  if (patch.limits !== undefined && row.container_id !== null) {
    const about = { kind: 'store', name: row.name, limits: residentLimits(row) } as const;
    const otherwise = 'when it is started the next time';
    await giveLimits(core, ctx, { ...about, container: row.container_id, otherwise });
  }
  return readStore(core, ctx, row);
}

function changedLinked(row: LinkedStoreRow, patch: StorePatch): LinkedStoreRow {
  const rule = providerOf(row.provider);
  const allowed: readonly string[] = [...rule.asks, ...rule.takes];
  for (const field of ['endpoint', 'region', 'path_style'] as const) {
    if (patch[field] !== undefined && !allowed.includes(field))
      throw new DavitError('invalid_input', `${field}: must be left out for ${rule.label}, which has its own.`);
  }
  const { region, public_endpoint: elsewhere } = patch;
  const made = region === undefined ? undefined : rule.endpointOf?.({ region, account: '' });
  return {
    ...row,
    endpoint: patch.endpoint === undefined ? (made ?? row.endpoint) : endpoint('endpoint', patch.endpoint),
    region: region === undefined ? row.region : (rule.signs ?? region),
    path_style: patch.path_style === undefined ? row.path_style : patch.path_style ? 1 : 0,
    public_endpoint:
      elsewhere === undefined ? row.public_endpoint : elsewhere && endpoint('public_endpoint', elsewhere),
    bucket: patch.bucket === undefined ? row.bucket : patch.bucket,
    access_key: patch.access_key ?? row.access_key,
  };
}
