/** Functions of the HTTP API for managed object stores. They check requests and start tasks. */
import { randomBytes } from 'node:crypto';
import {
  canObjectStore,
  DavitError,
  OBJECT_STORE_PORTS,
  type ObjectStoreCreate,
  type ObjectStoreExpose,
} from '@davit/api';
import { storeVolumeName } from '../../adapters/engine/names.ts';
import { storeHost } from '../../app-spec/names.ts';
import { storeKeyLocation } from '../../app-spec/store-access.ts';
import type { OpContext } from '../../auth/context.ts';
import { demandPresent, type EnvironmentTarget, sees } from '../../authorization/lookup.ts';
import type { Tx } from '../../db/store.ts';
import { environmentBySlugs } from '../../db/tables/environment.ts';
import {
  insertManagedStore,
  type ManagedStoreChange,
  managedStoreById,
  setManagedStore,
} from '../../db/tables/managed-store.ts';
import type { ManagedStoreRow, StoreRow } from '../../db/tables/object-store.ts';
import { withinQuota } from '../../quotas/quota.ts';
import { inTerm } from '../../trash/trash.ts';
import { demandCores } from '../apps/save-settings.ts';
import { demandNoTask } from '../tasks/no-task.ts';
import type { TaskKindName, TaskRequest, TaskRequester } from '../tasks/tasks.ts';
import { demandFreePort, demandSilentPort, firstFreePort } from '../tcp-ports/host-port.ts';
import { STORE_PORT } from './connection.ts';
import type { ObjectStoresDeps } from './deps.ts';
import type { ExposingStore, RestoringStore } from './managed/kinds.ts';
import type { OfStore } from './managed/managed-service.ts';
import { DEFAULT_VERSION, STORE_REGION, storeImage } from './managed/seaweed.ts';
import { demandFreeName } from './object-store.ts';
import { storeStatus } from './status.ts';

/**
 * Starts a task that creates a managed object store.
 * @returns id of the task
 * @throws DavitError conflict if the name is taken
 */
export function createObjectStore(
  core: ObjectStoresDeps,
  ctx: OpContext,
  environment: EnvironmentTarget,
  input: ObjectStoreCreate,
): number {
  const { username: by, via } = ctx.actor;
  return core.tasks.start((tx) => {
    const request = recordStore(core, tx, environment, input, { by, via });
    core.store.trail.about({ target: input.name, projectId: environment.project.id });
    return request;
  });
}

/**
 * Inserts a managed object store in the transaction `tx`.
 * @returns the task that creates the object store. The caller must start the task.
 * @throws DavitError not_found, conflict
 */
export function recordStore(
  core: ObjectStoresDeps,
  tx: Tx,
  environment: EnvironmentTarget,
  { name, description, version = DEFAULT_VERSION, limits }: ObjectStoreCreate,
  { by, via }: TaskRequester,
): TaskRequest<OfStore> {
  demandPresent(tx, environment);
  demandFreeName(tx, name, environment.project.id);
  demandCores(core, { limits });
  const { project, slug } = environment;
  const host = storeHost({ name, environment: slug, project: project.slug });
  const insert = () =>
    insertManagedStore(
      tx,
      {
        ...{ name, description, version, image: storeImage(version), region: STORE_REGION },
        ...{
          project_id: project.id,
          environment_id: environment.id,
          cpu: limits.cpu,
          memory_bytes: limits.memory_bytes,
        },
        ...{ endpoint: `http://${host}:${STORE_PORT}`, access_key: newAccessKey(), at: core.now() },
      },
      (id) => ({
        secret_key: core.sealer.seal(newSecretKey(), storeKeyLocation(id)),
        volume: storeVolumeName(core.facts.id, id),
      }),
    );
  const { id: store } = withinQuota(tx, project.id, insert);
  return {
    kind: 'object_store.create',
    subject: { kind: 'object_store', name },
    projectId: project.id,
    input: { store },
    by,
    via,
  };
}

/**
 * @returns id of the task
 * @throws DavitError conflict if the object store's status does not allow a start
 */
export function startObjectStore(core: ObjectStoresDeps, ctx: OpContext, row: StoreRow): number {
  return begin(core, ctx, row, 'object_store.start', (now) => {
    if (!canObjectStore.start(storeStatus(now))) throw refused(now, 'started');
    return {};
  });
}

/**
 * @returns id of the task
 * @throws DavitError conflict if the object store's status does not allow a stop
 */
export function stopObjectStore(core: ObjectStoresDeps, ctx: OpContext, row: StoreRow): number {
  return begin(core, ctx, row, 'object_store.stop', (now) => {
    if (!canObjectStore.stop(storeStatus(now))) throw refused(now, 'stopped');
    return {};
  });
}

/**
 * Restores an object store from the trash.
 * @returns id of the task
 * @throws DavitError conflict if the store is not in the trash, the time limit for a restore has expired, or its
 * environment was deleted
 */
export function restoreObjectStore(core: ObjectStoresDeps, ctx: OpContext, row: StoreRow): number {
  return begin(core, ctx, row, 'object_store.restore', (found, tx): Omit<RestoringStore, 'store'> => {
    const now = inTerm(core, tx, () => managedStoreById(tx, found.id) ?? found);
    const { deleted_at: deletedAt, expires_at: expiresAt } = now;
    if (deletedAt === null || expiresAt === null) throw refused(now, 'restored');
    const home = homeOf(tx, ctx, now);
    const back = { ...home, deleted_at: null, expires_at: null, wanted: 'running' } as const;
    withinQuota(tx, home.project_id, () => setManagedStore(tx, now.id, back, { change: 'restored', at: core.now() }));
    return { trashed: { deletedAt, expiresAt } };
  });
}

/**
 * Returns the project and environment for a restored object store. If they were deleted, returns a project and an
 * environment with the same names.
 * @throws DavitError conflict if the user can see no such environment
 */
function homeOf(
  tx: Tx,
  ctx: OpContext,
  { name, project, environment, environment_id }: ManagedStoreRow,
): ManagedStoreChange & Pick<ManagedStoreRow, 'project_id'> {
  const found = environmentBySlugs(tx, project, environment);
  if (found === undefined || !sees(ctx.actor, found.project_id))
    throw new DavitError(
      'conflict',
      `The environment ${project}/${environment} of the object store ${name} does not exist any more. Create it, then restore the object store.`,
    );
  const { id, project_id } = found;
  // Clear the address, because it belongs to the Docker network of the previous environment.
  return id === environment_id ? { project_id } : { project_id, environment_id: id, address: null };
}

/**
 * Makes an object store publicly accessible on a port of the server.
 * @returns id of the task
 * @throws DavitError conflict if the store is already publicly accessible or the port is not free
 */
export async function exposeObjectStore(
  core: ObjectStoresDeps,
  ctx: OpContext,
  row: StoreRow,
  { port }: ObjectStoreExpose = {},
): Promise<number> {
  if (port !== undefined) await demandSilentPort(ctx, port);
  const chosen = port ?? (await firstFreePort(core, OBJECT_STORE_PORTS, 'port'));
  return begin(core, ctx, row, 'object_store.expose', (now, tx) => {
    if (now.port !== null)
      throw new DavitError('conflict', `${now.name} is already exposed on port ${now.port}. Close that port first.`);
    if (now.deleted_at !== null) throw refused(now, 'exposed');
    demandFreePort(core, tx, ctx, chosen);
    return changePort(tx, now, chosen);
  });
}

/**
 * Closes the public port of an object store.
 * @returns id of the task
 * @throws DavitError conflict if the store has no public port
 */
export function unexposeObjectStore(core: ObjectStoresDeps, ctx: OpContext, row: StoreRow): number {
  return begin(core, ctx, row, 'object_store.unexpose', (now, tx) => {
    if (now.port === null)
      throw new DavitError('conflict', `${now.name} is not exposed, so there is no port to close.`);
    return changePort(tx, now, null);
  });
}

function changePort(tx: Tx, now: ManagedStoreRow, port: number | null): Omit<ExposingStore, 'store'> {
  setManagedStore(tx, now.id, { port });
  return { port, before: now.port };
}

/**
 * Starts a task for a managed object store.
 * @param input function that returns additional task input. It is called in the transaction that saves the task.
 */
function begin(
  core: ObjectStoresDeps,
  { actor }: OpContext,
  row: StoreRow,
  kind: TaskKindName,
  input: (now: ManagedStoreRow, tx: Tx) => object,
): number {
  return core.tasks.start((tx): TaskRequest<OfStore> => {
    const now = demandManaged(tx, row);
    const subject = { kind: 'object_store', name: now.name } as const;
    demandNoTask(tx, subject);
    const taskInput = { store: now.id, ...input(now, tx) };
    // Read the project again, because a restored object store may now belong to another project.
    const { project_id: projectId } = managedStoreById(tx, now.id) ?? now;
    core.store.trail.about({ target: now.name, projectId });
    return { kind, subject, projectId, input: taskInput, by: actor.username, via: actor.via };
  });
}

/**
 * Returns the current row of a managed object store.
 * @throws DavitError conflict for a linked store; not_found if the store no longer exists
 */
function demandManaged(tx: Tx, row: StoreRow): ManagedStoreRow {
  if (row.kind === 'linked')
    throw new DavitError(
      'conflict',
      `${row.name} is a linked object store, which this instance does not run. Change it at its provider.`,
    );
  const now = managedStoreById(tx, row.id);
  if (now === null) throw new DavitError('not_found', 'The object store does not exist anymore.');
  return now;
}

function refused(row: ManagedStoreRow, what: string): DavitError {
  return new DavitError('conflict', `${row.name} cannot be ${what} because its status is ${storeStatus(row)}.`);
}

/** Returns a new S3 access key in the format of Amazon S3. Some S3 clients accept only this format. */
function newAccessKey(): string {
  return `DVT${randomBytes(13).toString('hex').toUpperCase().slice(0, 17)}`;
}

function newSecretKey(): string {
  return randomBytes(30).toString('base64url').replaceAll(/[-_]/g, 'x');
}
