/**
 * Container of a managed service (database or object store). The number in the container name helps Davit to find the
 * container after a crash.
 */
import type { Group } from '../adapters/engine/group.ts';
import { generationName, networkName } from '../adapters/engine/names.ts';
import type { Network } from '../adapters/engine/network.ts';
import { isMemberAddress } from '../adapters/engine/subnets.ts';
import { freeAddress } from '../resources/tasks/free-address.ts';
import { TaskFailed } from '../resources/tasks/kind.ts';
import type { ManagedServicesDeps } from './deps.ts';
import { limitsAtCreation, managedServiceLimits } from './limits.ts';
import type { ManagedService, ManagedServiceRow } from './managed-service.ts';

/** Returns the Docker name of the current container of a database or object store. */
export function containerName<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  davitId: string,
  row: R,
): string {
  return generationName(kind.volumeName(davitId, row.id), row.generation);
}

/**
 * Returns the SQLite row of a managed service (a database or object store).
 * @throws TaskFailed if the row was deleted
 */
export function rowOf<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  { store }: Pick<ManagedServicesDeps, 'store'>,
  id: number,
): R {
  const row = kind.find(store, id);
  if (row === null) throw new TaskFailed(`The ${kind.noun} was deleted during the task.`);
  return row;
}

/**
 * Starts container number `generation` of a managed service. First removes an older container: two servers must not
 * write to the same files. Idempotent.
 */
export async function bringUp<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  id: number,
  generation: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (rowOf(kind, base, id).generation < generation) {
    await takeDown(kind, base, rowOf(kind, base, id));
    base.store.tx((tx) => kind.change(tx, id, { generation, seen: 'unknown', reason: null }));
  }
  if (rowOf(kind, base, id).container_id === null) await create(kind, base, id, signal);
  const { container_id } = rowOf(kind, base, id);
  if (container_id !== null) await base.engine.start(container_id, signal);
}

/** Stops and removes the container of a database or object store. Does not remove its volume. Idempotent. */
export async function takeDown<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  { engine, store, facts }: B,
  row: R,
): Promise<void> {
  const container = row.container_id ?? containerName(kind, facts.id, row);
  await engine.stop(container, kind.stop(row));
  await engine.remove(container);
  store.tx((tx) => {
    // If another request has created a newer container, the row already has the values of that container.
    if (kind.find(tx, row.id)?.generation === row.generation)
      kind.change(tx, row.id, { container_id: null, applied: null, container_limits: null });
  });
}

/**
 * Returns whether a container was created with the current values of the SQLite row. Limits do not count, because
 * Docker can change them at any time.
 */
export function isCurrent<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  row: R,
): boolean {
  return row.container_id !== null && row.applied === JSON.stringify(kind.madeOf(row));
}

async function create<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  const { engine, facts, store } = base;
  await kind.ensureImage(base, rowOf(kind, base, id), signal);
  await kind.prepare?.(base, rowOf(kind, base, id));
  const { volume, environment_id } = rowOf(kind, base, id);
  await endOthers(kind, base, id, volume);
  await engine.ensureVolume(volume, kind.reference(rowOf(kind, base, id)), kind.label);
  const network = await engine.ensureNetwork(networkName(facts.id, environment_id));
  await removeUnrecorded(kind, base, rowOf(kind, base, id));
  const row = claim(kind, base, id, network);
  const [container_id = ''] = await engine.createGroup(groupOf(kind, base, row, network), signal);
  store.tx((tx) => {
    kind.change(tx, id, { container_id, applied: JSON.stringify(kind.madeOf(row)) });
    kind.created?.(tx, row);
  });
}

/**
 * Stops containers of other managed services that use the same volume, because two servers would destroy the files.
 * @throws EngineRefused
 */
async function endOthers<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  id: number,
  volume: string,
): Promise<void> {
  const isOther = (row: R) => row.id !== id && row.volume === volume && row.container_id !== null;
  for (const row of kind.all(base.store).filter(isOther)) await takeDown(kind, base, row);
}

/**
 * Removes a container that an earlier attempt created but did not record in the database, if the desired limits have
 * changed since then.
 */
async function removeUnrecorded<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  row: R,
): Promise<void> {
  if (row.container_limits === null || row.container_limits === limitsAtCreation(row)) return;
  await base.engine.remove(containerName(kind, base.facts.id, row));
}

/**
 * Stores limits and IP address before the container exists, so that the quota counts them and no other container gets
 * the address.
 * @throws TaskFailed
 */
function claim<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  id: number,
  network: Network,
): R {
  base.store.tx((tx) => {
    const row = kind.find(tx, id);
    if (row === null) return;
    // The stored address may be outside the subnet, because the Docker network may have been created again.
    const hasAddress = row.address !== null && isMemberAddress(network, row.address);
    const address = hasAddress ? row.address : freeAddress(tx, network, row);
    kind.change(tx, id, { address, container_limits: limitsAtCreation(row) });
  });
  return rowOf(kind, base, id);
}

function groupOf<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  row: R,
  network: Network,
): Group {
  const { dataPath, exposedPort, ...own } = kind.serving(base, row, network);
  const port = kind.port(row);
  if (row.image_id === null || row.address === null)
    throw new TaskFailed(
      `The container of ${kind.reference(row)} cannot be created yet, because its image or network address is missing. Start the task again.`,
    );
  return {
    ...own,
    kind: kind.label,
    app: kind.reference(row),
    deployment: null,
    imageId: row.image_id,
    network: network.name,
    command: null,
    limits: managedServiceLimits(row),
    stopSignal: kind.stop(row).signal,
    volumes: [{ name: row.volume, path: dataPath }],
    tcpPorts: port === null ? [] : [{ hostPort: port, containerPort: exposedPort }],
    members: [{ name: containerName(kind, base.facts.id, row), address: row.address, env: {} }],
  };
}
