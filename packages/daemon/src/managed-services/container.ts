/**
 * The container of a resident, of which there is one at a time: its generations are numbered, so that a step that is taken
 * again after a crash knows which one it was about. The data is a volume, which no container takes along.
 */
import type { Group } from '../adapters/engine/group.ts';
import { generationName, networkName } from '../adapters/engine/names.ts';
import type { Network } from '../adapters/engine/network.ts';
import { isMemberAddress } from '../adapters/engine/subnets.ts';
import { freeAddress } from '../resources/tasks/free-address.ts';
import { TaskFailed } from '../resources/tasks/kind.ts';
import type { ManagedServicesDeps } from './deps.ts';
import { limitsAtCreation, residentLimits } from './limits.ts';
import type { Resident, ResidentRow } from './resident.ts';

/** The engine's name of its container. */
export function containerName<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  davitId: string,
  row: R,
): string {
  return generationName(kind.volumeName(davitId, row.id), row.generation);
}

/** @throws TaskFailed when it is gone */
export function rowOf<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  { store }: Pick<ManagedServicesDeps, 'store'>,
  id: number,
): R {
  const row = kind.find(store, id);
  if (row === null) throw new TaskFailed(`The ${kind.noun} is gone.`);
  return row;
}

/**
 * Has a container of this generation run, and none of another one. The one before is stopped first: two must not write to the
 * same files. May be called again after any part of it was done.
 */
export async function bringUp<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
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

/** Stops its container and removes it; the data stays. May be called again. */
export async function takeDown<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  { engine, store, facts }: B,
  row: R,
): Promise<void> {
  const container = row.container_id ?? containerName(kind, facts.id, row);
  await engine.stop(container, kind.stop(row));
  await engine.remove(container);
  store.tx((tx) => {
    // By the time that it has ended another one may be there.
    if (kind.find(tx, row.id)?.generation === row.generation)
      kind.change(tx, row.id, { container_id: null, applied: null, container_limits: null });
  });
}

/** Whether its container is as the record wants it, apart from what is changed while it runs. */
export function isCurrent<R extends ResidentRow, B extends ManagedServicesDeps>(kind: Resident<R, B>, row: R): boolean {
  return row.container_id !== null && row.applied === JSON.stringify(kind.madeOf(row));
}

async function create<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  const { engine, facts, store } = base;
  await kind.ensureImage(base, rowOf(kind, base, id), signal);
  const { volume, environment_id } = rowOf(kind, base, id);
  await endOthers(kind, base, id, volume);
  await engine.ensureVolume(volume, kind.reference(rowOf(kind, base, id)), kind.noun);
  const network = await engine.ensureNetwork(networkName(facts.id, environment_id));
  await removeUnrecorded(kind, base, rowOf(kind, base, id));
  const row = claim(kind, base, id, network);
  const [container_id = ''] = await engine.createGroup(groupOf(kind, base, row, network), signal);
  store.tx((tx) => kind.change(tx, id, { container_id, applied: JSON.stringify(kind.madeOf(row)) }));
}

/** Two servers on the same files destroy them. @throws EngineRefused for one that cannot be ended */
async function endOthers<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  id: number,
  volume: string,
): Promise<void> {
  const isOther = (row: R) => row.id !== id && row.volume === volume && row.container_id !== null;
  for (const row of kind.all(base.store).filter(isOther)) await takeDown(kind, base, row);
}

/**
 * Removes the container of an attempt that ended before the container was on record, if the limits have been changed since:
 * the engine would adopt it with its former limits.
 */
async function removeUnrecorded<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  row: R,
): Promise<void> {
  if (row.container_limits === null || row.container_limits === limitsAtCreation(row)) return;
  await base.engine.remove(containerName(kind, base.facts.id, row));
}

/**
 * Records the limits and the address before the container is created, so that the quota counts the limits from then on, and
 * no other container gets the address. A removed network may get another subnet when it is created again, to which the
 * former address does not belong.
 * @returns the record, by which the container is to be created
 * @throws TaskFailed when it is gone
 */
function claim<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  id: number,
  network: Network,
): R {
  base.store.tx((tx) => {
    const row = kind.find(tx, id);
    if (row === null) return;
    const hasAddress = row.address !== null && isMemberAddress(network, row.address);
    const address = hasAddress ? row.address : freeAddress(tx, network, row);
    kind.change(tx, id, { address, container_limits: limitsAtCreation(row) });
  });
  return rowOf(kind, base, id);
}

function groupOf<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  row: R,
  network: Network,
): Group {
  const { dataPath, exposedPort, ...own } = kind.serving(base, row, network);
  const port = kind.port(row);
  if (row.image_id === null || row.address === null)
    throw new TaskFailed(`The ${kind.noun} has no image or no address yet.`);
  return {
    ...own,
    kind: kind.noun,
    app: kind.reference(row),
    deployment: null,
    imageId: row.image_id,
    network: network.name,
    command: null,
    limits: residentLimits(row),
    stopSignal: kind.stop(row).signal,
    volumes: [{ name: row.volume, path: dataPath }],
    tcpPorts: port === null ? [] : [{ hostPort: port, containerPort: exposedPort }],
    members: [{ name: containerName(kind, base.facts.id, row), address: row.address, env: {} }],
  };
}
