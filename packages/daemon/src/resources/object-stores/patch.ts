import { DavitError, invalidField, type ObjectStore, type ObjectStorePatch } from '@davit/api';
import { storeKeyLocation } from '../../app-spec/store-access.ts';
import type { OpContext } from '../../auth/context.ts';
import { managedStoreById, setManagedStore } from '../../db/tables/managed-store.ts';
import {
  changeStore,
  type LinkedStoreRow,
  type ManagedStoreRow,
  noteStoreChecked,
  type StoreRow,
  storeById,
} from '../../db/tables/object-store.ts';
import { giveLimits } from '../../managed-services/give-limits.ts';
import { withinQuota } from '../../quotas/quota.ts';
import { demandCores } from '../apps/save-settings.ts';
import { addressesOf } from './connection.ts';
import type { ObjectStoresDeps } from './deps.ts';
import { endpoint, publicOnlyFor } from './endpoint.ts';
import { STORE } from './managed/managed-service.ts';
import { checkConnection, readStore } from './object-store.ts';
import { providerOf } from './providers.ts';
import { accessOf } from './request.ts';

/**
 * Fields that only linked object stores (at another provider) have. Users cannot change these fields of managed object
 * stores.
 */
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
 * Changes an object store. For a linked store, checks the access keys first. For a managed store, only the description
 * and the limits can change.
 * @throws DavitError invalid_input, check_failed
 */
export async function patchObjectStore(
  core: ObjectStoresDeps,
  ctx: OpContext,
  row: StoreRow,
  patch: ObjectStorePatch,
  check: boolean,
): Promise<ObjectStore> {
  if (row.kind === 'managed') return patchManaged(core, ctx, row, patch);
  if (patch.limits !== undefined)
    throw invalidField(
      'limits',
      'not_allowed',
      'The limits of this object store cannot be changed, because another provider runs it. Remove “limits” from the request.',
    );
  demandFields(row, patch);
  const reach = await reachAfter(core, ctx, row, patch);
  const after = changedLinked(row, patch, reach);
  // Show details about a refused private IP address only for a new endpoint, and only to admins of all projects.
  const isLimited = after.public_only === 1 && (reach === null || ctx.actor.projects !== null);
  const secretKey = () => patch.secret_key ?? accessOf(core, row).secretKey;
  const checkedAt = check ? await checkAs(core, after, secretKey(), isLimited) : null;
  const isChanged = Object.keys(patch).length > 0;
  core.store.tx((tx) => {
    const now = storeById(tx, row.id);
    if (now?.kind !== 'linked') throw new DavitError('not_found', 'The object store does not exist anymore.');
    core.store.trail.about({ target: row.name, ...(row.project_id !== null && { projectId: row.project_id }) });
    if (!isChanged) {
      if (checkedAt !== null) noteStoreChecked(tx, row.id, checkedAt);
      return;
    }
    const sealed = patch.secret_key === undefined ? now.secret_key : seal(core, row, patch.secret_key);
    const merged = changedLinked(now, patch, reach);
    const description = patch.description ?? now.description;
    const isConnectionChanged = hasConnectionChange(patch);
    const checked_at = checkedAt ?? (isConnectionChanged ? null : now.checked_at);
    changeStore(tx, { ...merged, description, secret_key: sealed, checked_at, updated_at: core.now() });
  });
  return readStore(core, ctx, storeById(core.store, row.id) ?? row);
}

function seal({ sealer }: ObjectStoresDeps, row: StoreRow, secretKey: string): string {
  return sealer.seal(secretKey, storeKeyLocation(row.id));
}

function checkAs(core: ObjectStoresDeps, row: StoreRow, secretKey: string, isLimited: boolean): Promise<number> {
  const connection = {
    endpoint: row.endpoint,
    region: row.region,
    pathStyle: row.path_style === 1,
    ...addressesOf(core, isLimited),
  };
  return checkConnection(core, { ...connection, accessKey: row.access_key, secretKey }, row.bucket);
}

function hasConnectionChange(patch: ObjectStorePatch): boolean {
  return OF_LINKED.some((field) => patch[field] !== undefined);
}

/**
 * Changes the description and the limits of a managed object store. If the container runs, the new limits apply at
 * once.
 */
async function patchManaged(
  core: ObjectStoresDeps,
  ctx: OpContext,
  { id }: ManagedStoreRow,
  patch: ObjectStorePatch,
): Promise<ObjectStore> {
  const found = OF_LINKED.find((field) => patch[field] !== undefined);
  if (found !== undefined)
    throw invalidField(
      found,
      'not_allowed',
      'This field cannot be changed, because the instance runs this object store itself. Change only “description” or “limits”.',
    );
  const { description, limits = {} } = patch;
  const row = core.store.tx((tx) => {
    const now = managedStoreById(tx, id);
    if (now === null) throw new DavitError('not_found', 'The object store does not exist anymore.');
    const { cpu = now.cpu, memory_bytes = now.memory_bytes } = limits;
    demandCores(core, { limits: { cpu } });
    core.store.trail.about({ target: now.name, projectId: now.project_id });
    const change = { cpu, memory_bytes, ...(description !== undefined && { description }) };
    withinQuota(tx, now.project_id, () => setManagedStore(tx, id, change, { change: 'changed', at: core.now() }));
    return managedStoreById(tx, id) ?? now;
  });
  if (patch.limits !== undefined) await giveLimits(core, ctx, STORE, row, 'at its next start');
  return readStore(core, ctx, storeById(core.store, id) ?? row);
}

/**
 * New endpoint of a linked object store. With `publicOnly`, the endpoint's host must not resolve to a private address
 * or to this server.
 */
interface Reach {
  endpoint: string;
  publicOnly: boolean;
}

/** @returns new endpoint with its restriction of IP addresses, or `null` if the endpoint does not change */
async function reachAfter(
  core: ObjectStoresDeps,
  { actor }: OpContext,
  row: LinkedStoreRow,
  patch: ObjectStorePatch,
): Promise<Reach | null> {
  const address = addressAfter(row, patch);
  if (address === row.endpoint) return null;
  return { endpoint: address, publicOnly: await publicOnlyFor(core, actor, address) };
}

/**
 * Returns the normalized endpoint of an object store with the changes of a PATCH request.
 * @throws DavitError invalid_input
 */
function addressAfter(row: LinkedStoreRow, { endpoint: named, region }: ObjectStorePatch): string {
  if (named !== undefined) return endpoint('endpoint', named);
  const made = region === undefined ? undefined : providerOf(row.provider).endpointOf?.({ region, account: '' });
  return made === undefined ? row.endpoint : endpoint('endpoint', made);
}

function changedLinked(row: LinkedStoreRow, patch: ObjectStorePatch, reach: Reach | null): LinkedStoreRow {
  const address = addressAfter(row, patch);
  const { region, public_endpoint: elsewhere } = patch;
  const rule = providerOf(row.provider);
  return {
    ...row,
    endpoint: address,
    public_only: publicOnlyAt(address, row, reach),
    region: region === undefined ? row.region : (rule.signs ?? region),
    path_style: patch.path_style === undefined ? row.path_style : patch.path_style ? 1 : 0,
    public_endpoint:
      elsewhere === undefined ? row.public_endpoint : elsewhere && endpoint('public_endpoint', elsewhere),
    bucket: patch.bucket === undefined ? row.bucket : patch.bucket,
    access_key: patch.access_key ?? row.access_key,
  };
}

/** @throws DavitError conflict if another request has changed the endpoint since `reach` was calculated */
function publicOnlyAt(address: string, row: LinkedStoreRow, reach: Reach | null): number {
  // If the endpoint does not change, the permission to use private IP addresses does not change either.
  if (address === row.endpoint) return row.public_only;
  if (address === reach?.endpoint) return Number(reach.publicOnly);
  throw new DavitError(
    'conflict',
    'Another request changed the endpoint of the object store at the same time. Send your request again.',
  );
}

/** @throws DavitError invalid_input for a field whose value the provider of the object store defines */
function demandFields({ provider }: LinkedStoreRow, patch: ObjectStorePatch): void {
  const rule = providerOf(provider);
  const allowed: readonly string[] = [...rule.asks, ...rule.takes];
  for (const field of ['endpoint', 'region', 'path_style'] as const) {
    if (patch[field] !== undefined && !allowed.includes(field))
      throw invalidField(field, 'not_allowed', `${rule.label} has a fixed value for this field. Leave the field out.`);
  }
}
