/**
 * Functions of the HTTP API for linked and managed object stores. SQLite contains secret keys only in encrypted form.
 */
import {
  DavitError,
  type ObjectStore,
  type ObjectStoreCredentials,
  type ObjectStoreLink,
  type ObjectStoreProvider,
  takenField,
} from '@davit/api';
import { storeKeyLocation } from '../../app-spec/store-access.ts';
import type { OpContext } from '../../auth/context.ts';
import { demandAllProjects, demandPresent, lookUp } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import {
  deleteStoreRow,
  insertLinkedStore,
  listObjectStores as listRows,
  type StoreRow,
  storeByName,
} from '../../db/tables/object-store.ts';
import { type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import type { StoreConnection } from './client.ts';
import { addressesOf } from './connection.ts';
import type { ObjectStoresDeps } from './deps.ts';
import { endpointSettingsOf, publicOnlyFor } from './endpoint.ts';
import { presentStores, publicEndpointOf } from './present.ts';
import { PROVIDERS } from './providers.ts';
import { accessOf, withConnectionClient } from './request.ts';
import { demandUnused } from './used-by.ts';

const MOST = 1_000;
const MOST_OF_PROJECT = 25;

/** Returns the object stores that the user or API key can see, sorted by name. */
export function listObjectStores(core: ObjectStoresDeps, ctx: OpContext, query: PageQuery = {}): Page<ObjectStore> {
  const { items, next } = pageOf(listRows(core.store, ctx.actor.projects), (row) => row.name, query);
  return { items: presentStores(core, ctx, items), next };
}

export function listObjectStoreProviders(
  _core: ObjectStoresDeps,
  _ctx: OpContext,
  query: PageQuery = {},
): Page<ObjectStoreProvider> {
  const sorted = PROVIDERS.toSorted((a, b) => (a.provider < b.provider ? -1 : 1));
  const { items, next } = pageOf(sorted, ({ provider }) => provider, query);
  const present = items.map(({ provider, label, asks, takes, endpoint, regions, hint }) => {
    return { provider, label, asks, takes, endpoint, regions, hint };
  });
  return { items: present, next };
}

export function readStore(core: ObjectStoresDeps, ctx: OpContext, row: StoreRow): ObjectStore {
  return presentStores(core, ctx, [row])[0] as ObjectStore;
}

/**
 * Returns the endpoint and access keys of an object store.
 * @throws DavitError conflict if the secret key cannot be decrypted
 */
export function readStoreCredentials(core: ObjectStoresDeps, _ctx: OpContext, row: StoreRow): ObjectStoreCredentials {
  const { endpoint, region, pathStyle, accessKey, secretKey } = accessOf(core, row);
  return {
    endpoint,
    public_endpoint: publicEndpointOf(core, row),
    region,
    path_style: pathStyle,
    access_key: accessKey,
    secret_key: secretKey,
  };
}

/**
 * Saves a linked object store after a check of its keys.
 * @throws DavitError invalid_input, not_found, conflict, check_failed; forbidden if a user limited to some projects
 * gives no project
 */
export async function linkObjectStore(
  core: ObjectStoresDeps,
  ctx: OpContext,
  input: ObjectStoreLink,
  check: boolean,
): Promise<ObjectStore> {
  const project = projectOf(core, ctx, input.project);
  const endpointSettings = endpointSettingsOf(input);
  const publicOnly = await publicOnlyFor(core, ctx.actor, endpointSettings.endpoint);
  demandFreeName(core.store, input.name, project?.id ?? null);
  const { access_key: accessKey, secret_key: secretKey, bucket } = input;
  // If the user has access to only some projects, the error must not contain details about private IP addresses.
  const addresses = addressesOf(core, ctx.actor.projects !== null);
  const checkedAt = check
    ? await checkConnection(core, { ...endpointSettings, accessKey, secretKey, ...addresses }, bucket)
    : null;
  core.store.tx((tx) => {
    if (project !== null) demandPresent(tx, project);
    demandFreeName(tx, input.name, project?.id ?? null);
    const at = core.now();
    insertLinkedStore(
      tx,
      {
        name: input.name,
        description: input.description,
        provider: input.provider,
        project_id: project?.id ?? null,
        endpoint: endpointSettings.endpoint,
        public_endpoint: endpointSettings.publicEndpoint,
        region: endpointSettings.region,
        path_style: endpointSettings.pathStyle ? 1 : 0,
        bucket,
        access_key: accessKey,
        public_only: publicOnly ? 1 : 0,
        checked_at: checkedAt,
        created_at: at,
        updated_at: at,
      },
      (id) => core.sealer.seal(secretKey, storeKeyLocation(id)),
    );
    core.store.trail.about({ target: input.name, ...(project && { projectId: project.id }) });
  });
  return readStore(core, ctx, storeByName(core.store, input.name) as StoreRow);
}

/**
 * Removes a linked object store and its stored keys from Davit. The data at the provider stays.
 * @throws DavitError not_found; conflict while the store is in use
 */
export function forgetStore(core: ObjectStoresDeps, _ctx: OpContext, row: StoreRow): void {
  core.store.tx((tx) => {
    const now = storeByName(tx, row.name);
    if (now?.id !== row.id) throw new DavitError('not_found', 'The object store does not exist anymore.');
    demandUnused(tx, now, null);
    deleteStoreRow(tx, now);
  });
}

/**
 * Checks that an object store accepts its access keys.
 * @returns time in milliseconds since the epoch
 * @throws DavitError check_failed; forbidden for a private address
 */
export async function checkConnection(
  core: ObjectStoresDeps,
  place: StoreConnection,
  bucket: string | null,
): Promise<number> {
  try {
    await withConnectionClient(core, place, async (client, signal) => {
      if (bucket === null) await client.listBuckets(signal);
      else await client.lookAtBucket(bucket, signal);
    });
    return core.now();
  } catch (error) {
    if (!(error instanceof DavitError) || error.code === 'forbidden') throw error;
    const one =
      bucket === null
        ? ' If the access keys are valid for only one bucket, set “bucket” to the name of this bucket.'
        : '';
    throw new DavitError(
      'check_failed',
      `${error.message}${one} To save the object store without a connection test, send check=false.`,
      {
        cause: error,
      },
    );
  }
}

function projectOf(core: ObjectStoresDeps, { actor }: OpContext, project: string | null) {
  if (project !== null) return lookUp(core.store, actor, 'administer', 'project', { project });
  demandAllProjects(actor, 'link an object store that all projects can use');
  return null;
}

/** @throws DavitError conflict if an object store has the name, or if the maximum number of object stores is reached */
export function demandFreeName(db: Reader, name: string, projectId: number | null): void {
  if (storeByName(db, name) !== undefined)
    throw takenField('name', `Another object store of this instance has the name ${name}. Choose another name.`);
  if (projectId !== null && listRows(db, [projectId]).length >= MOST_OF_PROJECT)
    throw new DavitError(
      'conflict',
      `The project has ${MOST_OF_PROJECT} object stores, which is the limit. Delete one first.`,
    );
  if (listRows(db, null).length < MOST) return;
  throw new DavitError('conflict', `The instance has ${MOST} object stores, which is the limit. Delete one first.`);
}
