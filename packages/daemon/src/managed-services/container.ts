/**
 * Container of a managed service (database or object store). The container name contains a number, so that Davit can
 * find the container after a crash.
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
 * Starts container number `generation` of a managed service. First removes the older container, because two servers
 * must not write to the same files. The function is idempotent.
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

/**
 * Stops and removes the container of a database or object store. Does not remove the volume. The function is
 * idempotent.
 */
export async function takeDown<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  { engine, store, facts }: B,
  row: R,
): Promise<void> {
  const container = row.container_id ?? containerName(kind, facts.id, row);
  await engine.stop(container, kind.stop(row));
  await engine.remove(container);
  store.tx((tx) => {
    // If another request has created a newer container, the row already contains the values of the newer container.
    if (kind.find(tx, row.id)?.generation === row.generation)
      kind.change(tx, row.id, { container_id: null, applied: null, container_limits: null });
  });
}

/**
 * Returns whether the container was created with the settings that the SQLite row contains now. Ignores limits, because
 * Docker can change them without a new container.
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
 * Stops other managed services' containers that use the same volume. Otherwise, two servers would write to the same
 * files and destroy them.
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
 * Removes a container that an earlier attempt created but did not save in the database. Removes it only if the desired
 * limits have changed since then.
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
 * Saves the limits and the IP address of a container before it exists. The quota then includes the limits, and no other
 * container gets the address.
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
    // Check the saved address. It may be outside the subnet if the Docker network was created again.
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
